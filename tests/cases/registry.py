"""Registries for the cases on pulling: a real one with a login, and one that refuses everybody for a while."""
import base64
import http.server
import json
import pathlib
import shutil
import subprocess
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

import box

USER, PASSWORD = "puller", "s3cret-of-the-registry"


class Registry:
    """Debian's docker-registry on a free port of loopback, with one user. A context manager."""

    def __init__(self):
        self.program, self.htpasswd = shutil.which("docker-registry"), shutil.which("htpasswd")
        if not self.program or not self.htpasswd:
            raise unittest.SkipTest("docker-registry and htpasswd (package apache2-utils) are not installed")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="codebox-registry-"))
        self.host = f"127.0.0.1:{box.free_port()}"
        users = subprocess.run([self.htpasswd, "-Bbn", USER, PASSWORD], check=True, capture_output=True, timeout=30).stdout
        (self.folder / "users").write_bytes(users)
        settings = {"version": "0.1", "log": {"level": "error"}, "http": {"addr": self.host},
                    "storage": {"filesystem": {"rootdirectory": str(self.folder / "data")}},
                    "auth": {"htpasswd": {"realm": "tests", "path": str(self.folder / "users")}}}
        (self.folder / "config.yml").write_text(json.dumps(settings))

    def __enter__(self):
        self.process = subprocess.Popen([self.program, "serve", str(self.folder / "config.yml")], cwd=self.folder,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            box.wait_until(self.answers, 30, "the registry answers")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def answers(self) -> bool:
        try:
            urllib.request.urlopen(f"http://{self.host}/v2/", timeout=5).close()
            return True
        except urllib.error.HTTPError as refusal:
            return refusal.code == 401
        except OSError:
            return False

    def logins(self, password=PASSWORD) -> str:
        """A file as `docker login` writes it."""
        auth = base64.b64encode(f"{USER}:{password}".encode()).decode()
        path = self.folder / "logins.json"
        path.write_text(json.dumps({"auths": {self.host: {"auth": auth}}}))
        return str(path)

    def push(self, name: str) -> str:
        """Puts a small image there and gives its digest."""
        reference = f"{self.host}/{name}"
        archive = self.folder / "image.tar"
        (self.folder / "hello").write_text(f"hello from {name}\n")
        subprocess.run(["tar", "-cf", str(archive), "-C", str(self.folder), "hello"], check=True, timeout=60)
        box.engine_cli("import", str(archive), reference)
        try:
            if box.engine == "podman":
                digest = self.folder / "digest"
                box.engine_cli("push", "--tls-verify=false", f"--creds={USER}:{PASSWORD}", f"--digestfile={digest}", reference)
                return digest.read_text().strip()
            config = self.folder / "docker"
            config.mkdir(exist_ok=True)
            shutil.copy(self.logins(), config / "config.json")
            pushed = subprocess.run(["docker", "--config", str(config), "push", reference], check=True,
                                    capture_output=True, text=True, timeout=120).stdout
            return pushed.split("digest: ")[1].split()[0]
        finally:
            box.engine_cli("rmi", "-f", reference, check=False)

    def insecure(self) -> str:
        """A registries.conf that lets Podman speak plain HTTP with it."""
        return insecure(self.folder, self.host)


def insecure(folder, host) -> str:
    path = pathlib.Path(folder) / "registries.conf"
    path.write_text(f'[[registry]]\nlocation = "{host}"\ninsecure = true\n')
    return str(path)


class Crowded:
    """A registry that allows no more requests. A context manager."""

    def __enter__(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps({"errors": [{"code": "TOOMANYREQUESTS", "message": "too many"}]}).encode()
                if self.path in ("/v2/", "/v2"):
                    status, body = 200, b"{}"
                else:
                    status = 429
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Retry-After", "1")  # Podman asks again before it gives up
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
