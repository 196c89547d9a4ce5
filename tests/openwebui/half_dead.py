"""A way to Open WebUI on which everything arrives but chat events, which meet what `mode` says."""
import socket
import threading

MODES = ("alive", "refused", "silent", "slow")


class HalfDead:
    """One request a connection, as Codebox makes them. `events` counts the chat events that came."""

    def __init__(self, upstream, mode):
        assert mode in MODES
        self.upstream, self.mode, self.events = upstream, mode, 0
        self.over = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def end(self):
        self.over.set()
        self.listener.close()

    def serve(self):
        while not self.over.is_set():
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.pass_on, args=(client,), daemon=True).start()

    def pass_on(self, client):
        with client:
            head = b""
            while b"\r\n\r\n" not in head:
                part = client.recv(65536)
                if not part:
                    return
                head += part
            line = head.split(b"\r\n", 1)[0]
            if line.startswith(b"POST ") and b"/event " in line:
                self.events += 1
                if self.mode == "refused":
                    return
                if self.mode == "silent":
                    self.over.wait(60)
                    return
                if self.mode == "slow":
                    self.over.wait(10)
            self.pump(client, head)

    def pump(self, client, head):
        host, port = self.upstream.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as server:
            server.sendall(head)
            there = threading.Thread(target=self.copy, args=(client, server), daemon=True)
            there.start()
            self.copy(server, client)

    @staticmethod
    def copy(source, target):
        try:
            while part := source.recv(65536):
                target.sendall(part)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass
