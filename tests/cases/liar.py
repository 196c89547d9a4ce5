"""An engine that accepts a limit and does not apply it: a socket in front of the real one that changes what sandboxes are
created with."""
import json
import pathlib
import socket
import tempfile
import threading

import box


def head_of(connection) -> tuple[bytes, bytes]:
    """A request's head with its blank line, and what came after it."""
    held = b""
    while b"\r\n\r\n" not in held:
        piece = connection.recv(65536)
        if not piece:
            return held, b""
        held += piece
    end = held.index(b"\r\n\r\n") + 4
    return held[:end], held[end:]


def pour(source, sink):
    try:
        while piece := source.recv(65536):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


class Liar:
    """`lie` changes the parsed body of a create request. Listens on `address` until stopped."""

    def __init__(self, real: str, lie):
        self.real, self.lie = real, lie
        self.folder = tempfile.TemporaryDirectory(prefix="codebox-liar-")
        path = str(pathlib.Path(self.folder.name) / "engine.sock")
        self.address = "unix://" + path
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(64)
        box.accept_each(self.listener, self.serve)

    def serve(self, connection):
        with connection, socket.socket(socket.AF_UNIX) as engine:
            engine.connect(self.real)
            back = threading.Thread(target=pour, args=(engine, connection), daemon=True)
            back.start()
            head, rest = head_of(connection)
            if b"/containers/create" in head.split(b"\r\n", 1)[0]:
                head, rest = self.changed(connection, head, rest)
            try:
                engine.sendall(head + rest)
            except OSError:
                return
            pour(connection, engine)
            back.join(60)

    def changed(self, connection, head, rest):
        lines = head.decode().split("\r\n")
        length = next(int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length:"))
        while len(rest) < length:
            rest += connection.recv(65536)
        body = json.loads(rest[:length])
        if body.get("HostConfig", {}).get("Tmpfs"):
            self.lie(body["HostConfig"])
        text = json.dumps(body).encode()
        lines = [f"Content-Length: {len(text)}" if line.lower().startswith("content-length:") else line for line in lines]
        return "\r\n".join(lines).encode(), text

    def stop(self):
        self.listener.close()
        self.folder.cleanup()
