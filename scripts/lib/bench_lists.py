"""How often a server answers tools/list, for scripts/bench: callers on open connections, or on a new one for each."""
import json
import multiprocessing
import selectors
import socket
import time

import box


def connect(port):
    made = socket.create_connection(("127.0.0.1", port), timeout=30)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def length_of(got):
    """Bytes of the whole answer, or None when its head is not there yet."""
    end = got.find(b"\r\n\r\n")
    if end < 0:
        return None
    lines = got[:end].lower().split(b"\r\n")
    if not lines[0].endswith(b" 200 ok"):
        raise RuntimeError(lines[0])
    return end + 4 + next(int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length"))


def one_process(port, request, seconds, kept, clients, pace, results):
    """Clients that ask again once they are answered; with a pace, each only when its turn has come."""
    times, waiting = [], selectors.DefaultSelector()
    free = [connect(port) if kept else None for _ in range(clients)]
    start = time.perf_counter()
    end, next_turn = start + seconds, start
    while (now := time.perf_counter()) < end or waiting.get_map():
        while free and now < end and (pace is None or now >= next_turn):
            # A client that had to wait for a free one of us has waited all the same.
            begun = now if pace is None else next_turn
            if pace is not None:
                next_turn += 1 / pace
            connection = free.pop() or connect(port)
            connection.sendall(request)
            waiting.register(connection, selectors.EVENT_READ, [begun, b""])
            now = time.perf_counter()
        for key, _ in waiting.select(0.0005 if waiting.get_map() else 0):
            key.data[1] += key.fileobj.recv(65536)
            length = length_of(key.data[1])
            if length is None or len(key.data[1]) < length:
                continue
            times.append(time.perf_counter() - key.data[0])
            waiting.unregister(key.fileobj)
            if kept:
                free.append(key.fileobj)
            else:
                key.fileobj.close()
                free.append(None)
    results.put(times)


def ask(server, seconds, kept, clients, pace):
    """Answers a second and the 99th percentile of their times, of two processes that ask."""
    body = json.dumps(box.Server.message("tools/list")).encode()
    lines = {"Host": "127.0.0.1", "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
             "Authorization": "Bearer " + box.token(), "Content-Length": str(len(body)),
             "Connection": "keep-alive" if kept else "close", **box.Server.routing("tools/list")}
    head = "POST /mcp HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n"
    results = multiprocessing.Queue()
    asking = [multiprocessing.Process(target=one_process, args=(server.port, head.encode() + body, seconds, kept, clients // 2,
                                                                pace and pace / 2, results)) for _ in range(2)]
    for process in asking:
        process.start()
    times = sorted(sum((results.get(timeout=seconds + 60) for _ in asking), []))
    for process in asking:
        process.join()
    return len(times) / seconds, times[int(len(times) * 0.99)]
