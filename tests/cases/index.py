"""A small private package index on 127.0.0.1 with a user and a password, and packages made on the spot."""
import base64
import http.server
import io
import tarfile
import threading
import zipfile

USER, PASSWORD = "reader", "p@ss"


def wheel(name: str, files: dict, version="1.0") -> tuple:
    info = f"{name}-{version}.dist-info"
    files = {**files, f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
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


class Index:
    """Serves packages by the simple repository layout. A context manager; `url` carries the credentials."""

    def __init__(self, *packages):
        files = dict(packages)
        wanted = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        self.unauthorized = 0
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.headers.get("Authorization") != wanted:
                    outer.unauthorized += 1
                    return self.answer(401, b"who are you?")
                parts = [part for part in self.path.split("?")[0].split("/") if part]
                if parts[0] == "files" and parts[-1] in files:
                    return self.answer(200, files[parts[-1]], "application/octet-stream")
                names = [name for name in files if parts[0] == "simple" and name.split("-")[0] == parts[-1].replace("-", "_")]
                if not names:
                    return self.answer(404, b"no such package")
                links = "".join(f'<a href="/files/{name}">{name}</a>\n' for name in names)
                return self.answer(200, f"<!DOCTYPE html><html><body>{links}</body></html>".encode())

            def answer(self, status, body, kind="text/html"):
                self.send_response(status)
                if status == 401:
                    self.send_header("WWW-Authenticate", 'Basic realm="index"')
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.secret = PASSWORD.replace("@", "%40")
        self.url = f"http://{USER}:{self.secret}@{self.host}/simple"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
