"""What scripts/bench measures besides single calls: packages, many calls at once, tools/list, large data, memory."""
import base64
import concurrent.futures
import http.client
import json
import multiprocessing
import os
import pathlib
import socket
import subprocess
import threading
import time
import urllib.parse

import box

PANDAS = """
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd
d = pd.DataFrame({"month": list("abcdef") * 20, "sum": range(120)})
g = d.groupby("month").sum()
print(g.describe())
g.plot(kind="bar", title="Sums")
plt.savefig("output/sums.png")
"""
MANY = 20
AT_ONCE = 4


def measure(field, done, skipped, show, spread, everything):
    """Adds to `done` what could be measured and returns the ratios that come of it."""
    ratios = {}

    def part(name, work):
        try:
            work()
        except Exception as error:
            skipped[name] = " ".join(f"{type(error).__name__}: {error}".split())[:300]

    ours = field.contestants.get("codebox preloaded")
    cold = field.contestants.get("codebox cold")
    if ours is None or cold is None:
        return ratios

    def throughput():
        at_once(ours, 4)
        seconds, engine = [], []
        for _ in range(3 if everything else 2):
            ours.settle()
            seconds.append(at_once(ours, MANY))
            engine.append(engine_loop(field.image, MANY))
        done[f"{MANY} calls, {AT_ONCE} at once"] = {"codebox": spread(seconds), "create+start+remove": spread(engine)}
        show(f"{MANY} calls, {AT_ONCE} at once", done[f"{MANY} calls, {AT_ONCE} at once"])
        ratios["throughput_vs_engine"] = round(min(engine) / min(seconds), 3)

    def listing():
        kept, p99 = lists_per_second(cold.server, 4.0, True)
        new, p99_new = lists_per_second(cold.server, 4.0, False)
        ratios.update(tools_list_per_second=round(kept), tools_list_per_second_new_connections=round(new),
                      tools_list_p99_ms=round(p99 * 1e3, 2), tools_list_p99_ms_new_connections=round(p99_new * 1e3, 2))

    def large():
        rows = {}
        rows["100 MB of stdout"] = spread([ours.run("import sys\nfor _ in range(100):\n    sys.stdout.buffer.write(b'x' * 1048575 + b'\\n')")
                                           for _ in range(3)])
        rows["50 MB in and out"] = spread([in_and_out(ours) for _ in range(2)])
        done["large data"] = rows
        show("large data, one call each", rows)

    def packages():
        rows = {"first call": [], "second call": []}
        for name in ("humanize", "tabulate"):
            for row in rows.values():
                row.append(cold.call(f"import {name}\nprint({name}.__name__)", libraries=[name])[0])
        done["package"] = {name: spread(times) for name, times in rows.items()}
        show("a call that installs a package", done["package"])

    part("idle memory", lambda: ratios.update(idle_rss_mb=idle_memory(cold.server)))
    part("tools/list", listing)
    part("throughput", throughput)
    part("large data", large)
    if everything:
        part("packages", packages)
    return ratios


def at_once(ours, count):
    """Seconds for so many calls of several users, some at once, each on a connection of its own."""
    local = threading.local()

    def one(number):
        if not hasattr(local, "connection"):
            local.connection = http.client.HTTPConnection("127.0.0.1", ours.server.port, timeout=180)
        ours.call("print(1)", local.connection, f"user{number % AT_ONCE}")

    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(one, range(count)))
    return time.perf_counter() - start


class EngineConnection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(120)
        self.sock.connect("/var/run/docker.sock")


def engine_loop(image, count):
    """Seconds in which the engine itself makes, starts and removes so many bare containers, as many at once."""
    def request(connection, method, path, body=None):
        connection.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        data = answer.read()
        if answer.status >= 300:
            raise RuntimeError(data[:200])
        return json.loads(data) if data else None

    def one(_):
        connection = EngineConnection("docker")
        spec = {"Image": image, "Entrypoint": ["sleep"], "Cmd": ["60"], "HostConfig": {"NetworkMode": "none", "LogConfig": {"Type": "none"}}}
        name = request(connection, "POST", "/containers/create", spec)["Id"]
        request(connection, "POST", f"/containers/{name}/start")
        request(connection, "DELETE", f"/containers/{name}?force=1&v=1")
        connection.close()

    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(one, range(count)))
    return time.perf_counter() - start


def ask_for_lists(port, head, seconds, kept, clients, results):
    """One process's share: `clients` take turns, so that the caller costs as little as it can."""
    def connect():
        made = socket.create_connection(("127.0.0.1", port), timeout=30)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made

    def answered(connection):
        got = b""
        while b"\r\n\r\n" not in got:
            part = connection.recv(65536)
            if not part:
                raise RuntimeError("the connection ended")
            got += part
        start, body = got.split(b"\r\n\r\n", 1)
        length = next(int(line.split(b":")[1]) for line in start.lower().split(b"\r\n") if line.startswith(b"content-length"))
        while len(body) < length:
            body += connection.recv(65536)

    times = []
    connections = [connect() for _ in range(clients)] if kept else []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        batch = connections or [connect() for _ in range(min(clients, 8))]
        begun = []
        for connection in batch:
            begun.append(time.perf_counter())
            connection.sendall(head)
        for connection, start in zip(batch, begun):
            answered(connection)
            times.append(time.perf_counter() - start)
        if not kept:
            for connection in batch:
                connection.close()
    results.put(times)


def lists_per_second(server, seconds, kept):
    """Answers a second, and the 99th percentile of their times, with two processes that ask."""
    body = json.dumps(box.Server.message("tools/list")).encode()
    lines = {"Host": "127.0.0.1", "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
             "Authorization": "Bearer " + box.token(), "Content-Length": str(len(body)),
             "Connection": "keep-alive" if kept else "close", **box.Server.routing("tools/list")}
    head = "POST /mcp HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n"
    results = multiprocessing.Queue()
    asking = [multiprocessing.Process(target=ask_for_lists, args=(server.port, head.encode() + body, seconds, kept, 8, results))
              for _ in range(2)]
    for process in asking:
        process.start()
    times = sorted(sum((results.get(timeout=seconds + 60) for _ in asking), []))
    for process in asking:
        process.join()
    return len(times) / seconds, times[int(len(times) * 0.99)]


def in_and_out(ours):
    data = base64.b64encode(os.urandom(50 * 1000 * 1000)).decode()
    code = "import shutil\nshutil.copy('in.bin', 'output/out.bin')"
    ours.settle()
    took, text = ours.call(code, input_files=[{"path": "in.bin", "base64": data}])
    start = time.perf_counter()
    link = next(word for word in text.replace("(", " ").replace(")", " ").split() if "out.bin" in word and "/" in word)
    url = urllib.parse.urlsplit(link)
    got = ours.server.request("GET", url.path + ("?" + url.query if url.query else ""))
    if len(got.body) != 50 * 1000 * 1000:
        raise RuntimeError(f"{len(got.body)} bytes came back")
    return took + time.perf_counter() - start


def idle_memory(server):
    """Resident MB of the server and its own helpers, without the pages that they share."""
    pids, total = [server.process.pid], 0
    for pid in pids:
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False).stdout
        pids += [int(child) for child in children.split()]
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1])
    return round(total / 1024, 1)
