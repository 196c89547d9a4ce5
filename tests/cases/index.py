"""A small private package index on this machine's own address, with a certificate, a user and a password of its own, and
packages made on the spot."""
import base64
import http.server
import io
import pathlib
import socket
import ssl
import subprocess
import tarfile
import tempfile
import unittest
import zipfile

import box

USER, PASSWORD = "reader", "p@ss"


def wheel(name: str, files: dict, version="1.0", requires=()) -> tuple:
    info = f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {other}\n" for other in requires)
    files = {**files, f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
             f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    record = "".join(f"{path},,\n" for path in files) + f"{info}/RECORD,,\n"
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for path, text in {**files, f"{info}/RECORD": record}.items():
            archive.writestr(path, text)
    return f"{name}-{version}-py3-none-any.whl", raw.getvalue()


def sdist(name: str, backend: str, version="1.0") -> tuple:
    """A source package that builds with its own backend and so needs nothing else."""
    files = {"pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
                               f'[project]\nname = "{name}"\nversion = "{version}"\n',
             "backend.py": backend, "PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"}
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as archive:
        for path, text in files.items():
            entry = tarfile.TarInfo(f"{name}-{version}/{path}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return f"{name}-{version}.tar.gz", raw.getvalue()


def own_address() -> str:
    """This machine's address on its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError as failure:
            raise unittest.SkipTest("this machine has no address but loopback") from failure
        return probe.getsockname()[0]


class Index(box.Served):
    """Serves packages by the simple repository layout. A context manager; `url` carries the credentials."""

    def __init__(self, *packages):
        files = self.files = dict(packages)
        wanted = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        self.unauthorized = 0
        self.served = []   # names of packages' files, as they were asked for
        outer = self

        class Handler(box.Handler):
            def do_GET(self):
                if self.headers.get("Authorization") != wanted:
                    outer.unauthorized += 1
                    return self.answer(401, b"who are you?")
                parts = [part for part in self.path.split("?")[0].split("/") if part]
                if parts[0] == "files" and parts[-1] in files:
                    outer.served.append(parts[-1])
                    return self.answer(200, files[parts[-1]], "application/octet-stream")
                names = [name for name in files if parts[0] == "simple" and name.split("-")[0] == parts[-1].replace("-", "_")]
                if not names:
                    return self.answer(404, b"no such package")
                links = "".join(f'<a href="/files/{name}">{name}</a>\n' for name in names)
                return self.answer(200, f"<!DOCTYPE html><html><body>{links}</body></html>".encode())

            def answer(self, status, body, kind="text/html"):
                more = {"WWW-Authenticate": 'Basic realm="index"'} if status == 401 else {}
                super().answer(status, body, kind, **more)

        address = own_address()
        self.folder = tempfile.TemporaryDirectory()
        self.bundle, key = (str(pathlib.Path(self.folder.name) / name) for name in ("cert.pem", "key.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=index",
                        "-addext", f"subjectAltName=IP:{address}", "-keyout", key, "-out", self.bundle],
                       check=True, capture_output=True, timeout=60)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.bundle, key)
        self.server = http.server.ThreadingHTTPServer((address, 0), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.host = f"{address}:{self.server.server_port}"
        self.secret = PASSWORD.replace("@", "%40")
        self.url = f"https://{USER}:{self.secret}@{self.host}/simple"

    def add(self, name: str, content: bytes):
        self.files[name] = content

    def __exit__(self, *reason):
        super().__exit__(*reason)
        self.folder.cleanup()


PRIVATE = wheel("private_words", {"private_words.py": 'WORD = "from the private index"\n'})


class Case(box.Case):
    """Cases of one class that share an index with the package private-words, `source`, and what `enter` adds."""

    @classmethod
    def setUpClass(cls):
        if not box.image:
            raise unittest.SkipTest("no engine or no Python image is there")
        cls.source = cls.enter(Index(PRIVATE))

    @classmethod
    def enter(cls, context):
        entered = context.__enter__()
        cls.addClassCleanup(context.__exit__, None, None, None)
        return entered
