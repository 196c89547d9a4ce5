"""What scripts/bench measures besides single calls: packages, many calls at once, tools/list, large data, memory."""
import concurrent.futures
import http.client
import json
import os
import pathlib
import socket
import statistics
import subprocess
import time

import bench_lists
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
OUTPUT = "import sys\nfor _ in range(100):\n    sys.stdout.buffer.write(b'x' * 1048575 + b'\\n')"
MANY = 20
AT_ONCE = 4
LARGE = 50 * 1000 * 1000
TOO_LONG = 20  # seconds: who takes so long does it once
PLAIN = ("python3", "bwrap", "docker run", "open-terminal", "llm-sandbox", "llm-sandbox pool")
LARGE_NEEDS = (*PLAIN, "codebox warm", "codebox preloaded")


NEEDS = {"memory": ["codebox cold"], "lists": ["codebox cold"], "packages": PLAIN, "large": LARGE_NEEDS,
         "throughput": (*PLAIN, "codebox cold", "codebox preloaded")}


def packages(bench):
    """The same package twice: for us the second call comes from the layer that the first one had made."""
    layered = bench.field.layers()
    contestants = {**bench.field.some(*PLAIN), "codebox": layered}
    for name, one in contestants.items():
        def calls(name=name, one=one):
            first = one.install("tabulate")
            if one is layered:
                box.wait_until(lambda: "holds tabulate" in layered.server.log(), 180, "the layer is made")
            bench.add("one package", f"{name}, first", [first])
            bench.add("one package", f"{name}, again", [one.install("tabulate") for _ in range(2)])
        bench.attempt(f"{name}: a package", calls)


def throughput(bench):
    """Many calls, some at once, with the engine's own containers as the measure. Ours are timed until all are removed."""
    cold = bench.field.contestants["codebox cold"]
    for _ in range(3):
        for name, one in bench.field.some(*PLAIN, "codebox preloaded").items():
            one.settle()
            bench.attempt(f"{name}: {TITLE}", lambda: bench.add(
                TITLE, name, [at_once([one.caller() for _ in range(AT_ONCE)], MANY)]))
            one.settle()
        bench.add(TITLE, "codebox cold", [at_once([cold.caller() for _ in range(AT_ONCE)], MANY, cold.server)])
        bench.add(TITLE, "engine alone", [at_once([lambda: engine_cycle(bench.field.image)] * AT_ONCE, MANY)])
    bench.ratio("throughput_vs_engine", TITLE, "engine alone", "codebox cold", "min")
    bench.ratio("throughput_vs_engine_with_pool", TITLE, "engine alone", "codebox preloaded", "min")


TITLE = f"{MANY} calls, {AT_ONCE} at once"


def at_once(callers, count, server=None):
    """Seconds for so many calls of these callers; with a server, until all its sandboxes are gone as well."""
    def some(caller):
        for _ in range(count // len(callers)):
            caller()

    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(len(callers)) as pool:
        list(pool.map(some, callers))
    while server is not None and server.containers():
        time.sleep(0.01)
    return time.perf_counter() - start


class EngineConnection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(120)
        self.sock.connect("/var/run/docker.sock")


def engine_cycle(image):
    """The engine itself makes, starts and removes one bare container."""
    connection = EngineConnection("docker")

    def request(method, path, body=None):
        connection.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        data = answer.read()
        if answer.status >= 300:
            raise RuntimeError(data[:200])
        return json.loads(data) if data else None

    spec = {"Image": image, "Entrypoint": ["sleep"], "Cmd": ["60"], "HostConfig": {"NetworkMode": "none", "LogConfig": {"Type": "none"}}}
    name = request("POST", "/containers/create", spec)["Id"]
    request("POST", f"/containers/{name}/start")
    request("DELETE", f"/containers/{name}?force=1&v=1")
    connection.close()


def listing(bench):
    """tools/list: as fast as it goes, and how long 200 clients wait who together ask 3,000 times a second. Each the median of three."""
    server = bench.field.contestants["codebox cold"].server
    for kept, name in ((True, ""), (False, "_new_connections")):
        most = statistics.median(bench_lists.ask(server, 3.0, kept, 16, None)[0] for _ in range(3))
        paced = [bench_lists.ask(server, 3.0, kept, 200, 3000) for _ in range(3)]
        asked, p99 = (statistics.median(values) for values in zip(*paced, strict=True))
        bench.ratios[f"tools_list_per_second{name}"] = round(most)
        bench.ratios[f"tools_list_200_clients_per_second{name}"] = round(asked)
        bench.ratios[f"tools_list_200_clients_p99_ms{name}"] = round(p99 * 1e3, 2)


def large(bench):
    given, back = bench.field.folder / "given.bin", bench.field.folder / "back.bin"
    given.write_bytes(os.urandom(LARGE))

    def copied(one):
        back.unlink(missing_ok=True)
        took = one.copy(given, back)
        if back.read_bytes() != given.read_bytes():
            raise RuntimeError("other bytes came back")
        return took

    jobs = {"100 MB of stdout": lambda one: one.run(OUTPUT), "a file of 50 MB in and out": copied}
    for _ in range(3):
        for name, one in bench.field.some(*LARGE_NEEDS).items():
            for work, job in jobs.items():
                if max(bench.times.get(work, {}).get(name, [0])) < TOO_LONG:
                    one.settle()
                    bench.attempt(f"{name}: {work}", lambda: bench.add(work, name, [job(one)]))
    given.unlink()
    back.unlink(missing_ok=True)


def memory(bench):
    bench.ratios["idle_rss_mb"] = idle_memory(bench.field.contestants["codebox cold"].server)


def idle_memory(server):
    """Resident MB of the server and its own helpers. What they share counts for each of them."""
    pids, total = [server.process.pid], 0
    for pid in pids:
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False).stdout
        pids += [int(child) for child in children.split()]
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                total += int(line.split()[1])
    return round(total / 1024, 1)
