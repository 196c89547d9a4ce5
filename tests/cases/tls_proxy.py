"""A container engine over TCP with TLS and client certificates, as a machine of its own offers it: in front of the
engine's socket on this machine."""
import pathlib
import select
import socket
import ssl
import subprocess
import tempfile

import box


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True, timeout=60)


class TlsEngine:
    """Listens on a free port of loopback; `ca`, `cert` and `key` are the client's files. A context manager."""

    def __init__(self, engine_socket: str):
        self.engine_socket = engine_socket
        self.folder = tempfile.TemporaryDirectory()
        self.ca, ca_key = self.path("ca.pem"), self.path("ca.key")
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=tests", "-keyout", ca_key, "-out", self.ca)
        server_cert, server_key = self.issue("server", "subjectAltName=IP:127.0.0.1")
        self.cert, self.key = self.issue("client", "extendedKeyUsage=clientAuth")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(server_cert, server_key)
        context.load_verify_locations(self.ca)
        context.verify_mode = ssl.CERT_REQUIRED
        self.context = context
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.host = f"tcp://127.0.0.1:{self.listener.getsockname()[1]}"

    def path(self, name) -> str:
        return str(pathlib.Path(self.folder.name) / name)

    def issue(self, name, extension):
        cert, key, request, extensions = (self.path(f"{name}.{end}") for end in ("pem", "key", "csr", "ext"))
        pathlib.Path(extensions).write_text(extension + "\n")
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", key, "-out", request)
        openssl("x509", "-req", "-in", request, "-CA", self.ca, "-CAkey", self.path("ca.key"), "-CAcreateserial", "-days", "2",
                "-extfile", extensions, "-out", cert)
        return cert, key

    def settings(self) -> dict:
        return {"CONTAINER_HOST": self.host, "CONTAINER_TLS_CA": self.ca, "CONTAINER_TLS_CERT": self.cert,
                "CONTAINER_TLS_KEY": self.key}

    def __enter__(self):
        box.accept_each(self.listener, self.carry)
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.folder.cleanup()

    def carry(self, connection):
        try:
            with self.context.wrap_socket(connection, server_side=True) as outer, socket.socket(socket.AF_UNIX) as inner:
                inner.connect(self.engine_socket)
                self.pump(outer, inner)
        except OSError:
            pass

    @staticmethod
    def pump(outer, inner):
        sources = [outer, inner]
        while inner in sources:
            ready = [outer] if outer in sources and outer.pending() else select.select(sources, [], [])[0]
            for source in ready:
                target = inner if source is outer else outer
                piece = source.recv(65536)
                if piece:
                    target.sendall(piece)
                    continue
                sources.remove(source)
                if source is outer:
                    inner.shutdown(socket.SHUT_WR)
