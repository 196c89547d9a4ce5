"""A real server under test, and a caller of its tools. Standard library only."""
import base64
import contextlib
import dataclasses
import hashlib
import hmac
import http.client
import http.server
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

import again
import urllib.parse

SECRET = "a-secret-of-the-tests-0123456789-abcdefghijklmnop-0123456789-abcdefgh"
VERSION = "2026-07-28"
codebox = ""   # the program under test; set by run.py
engine = "docker"   # whose sandboxes the cases run: docker or podman
image = ""     # the Python image, or empty where no engine or image is there


def encode(data) -> str:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def token(user="ada", secret=SECRET, header=None, **claims) -> str:
    """An HS256 token as Open WebUI signs it; a claim given as None is left out."""
    payload = {"id": user, "exp": int(time.time()) + 3600, "iat": int(time.time()), **claims}
    payload = {name: value for name, value in payload.items() if value is not None}
    signed = encode(header or {"alg": "HS256", "typ": "JWT"}) + "." + encode(payload)
    return signed + "." + encode(hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest())


@dataclasses.dataclass
class Reply:
    status: int
    headers: dict
    body: bytes

    def json(self):
        return json.loads(self.body)


@dataclasses.dataclass
class Result:
    text: str
    images: list          # of (mime type, bytes)
    is_error: bool
    took: float
    links: dict           # name as shown -> link


def wait_until(condition, seconds, what):
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.05)
    return value


def free_port() -> int:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def engine_cli(*words, check=True) -> subprocess.CompletedProcess:
    """The command-line client of the engine under test; Podman's works on the storage of CONTAINERS_STORAGE_CONF."""
    return subprocess.run([engine, *words], check=check, capture_output=True, text=True, timeout=120)


def name_instance(state: pathlib.Path):
    """Names the instance of a server that starts with this STATE_DIR so that scripts/test, where it runs this, finds what was
    left of it."""
    if run := os.environ.get("CODEBOX_TEST_RUN"):
        (state / "instance").write_text(f"{run}-{secrets.token_hex(8)}")


def accept_each(listener: socket.socket, serve):
    """Has `serve` called with each connection, in a thread of its own, until the listener is closed."""
    def accept():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,), daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers whole, and says nothing on stderr."""

    def answer(self, status, body, kind="application/json", **headers):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Served:
    """A context manager in which `self.server`, one of http.server, answers."""

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Server:
    """`codebox serve` with a state folder of its own. Settings given as None are left out. A context manager."""
    ends = (0, -signal.SIGTERM, -signal.SIGKILL)   # any other end is told with the log

    def __init__(self, user=None, **settings):
        given = settings.get("PORT") or ""
        self.port = int(given) if given.isdigit() else free_port()
        self.state = pathlib.Path(tempfile.mkdtemp(prefix="codebox-test-"))
        plugins = os.environ.get("PLUGIN_DIR") or pathlib.Path(codebox).resolve().parent.parent / "plugins"
        # Nothing waits and nothing is layered unless a case asks for it: it would start sandboxes that are not the case's own.
        values = {"HOST": "127.0.0.1", "PORT": str(self.port), "JWT_SECRET": SECRET, "PLUGIN_DIR": str(plugins),
                  "SANDBOX_LANGUAGES": "python",
                  "STATE_DIR": str(self.state / "state"), "SANDBOX_IMAGE_PYTHON": image or None, "SANDBOX_PULL": "never"
                  if not image else None, "RATE_LIMIT_RPS": "1000", "SANDBOX_PACKAGE_LAYERS": "false", "RATE_LIMIT_BURST": "1000",
                  "MAX_CONCURRENT_SANDBOXES_PER_USER": "10", "SANDBOX_POOL_SIZE": "0", "SANDBOX_CA_BUNDLE": os.environ.get("SANDBOX_CA_BUNDLE"),
                  "SANDBOX_ALLOWED_HOSTS": os.environ.get("SANDBOX_ALLOWED_HOSTS"), **settings}
        kept = ("PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "CONTAINER_HOST", "CONTAINER_BACKEND",
                "CONTAINERS_STORAGE_CONF")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment.update({name: value for name, value in values.items() if value is not None})
        self.environment = environment
        (self.state / "state").mkdir(mode=0o700)
        name_instance(self.state / "state")
        if user is not None:
            for path in (self.state, *self.state.rglob("*")):
                os.chown(path, user, user)
        self.log_file = self.state / "log"
        self.log_stream = open(self.log_file, "wb")
        self.process = subprocess.Popen([codebox, "serve"], env=environment, cwd=self.state, stdin=subprocess.DEVNULL,
                                        stdout=self.log_stream, stderr=subprocess.STDOUT, user=user, group=user,
                                        extra_groups=None if user is None else [])

    def __enter__(self):
        try:
            self.wait_up()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def healthy(self) -> bool:
        try:
            return self.request("GET", "/healthz", timeout=5).status == 200
        except OSError:
            return False

    def wait_up(self):
        wait_until(lambda: self.process.poll() is not None or self.healthy(), 60, "the server answers on /healthz")
        if self.process.poll() is not None:
            raise AssertionError(f"the server ended with {self.process.returncode} at start:\n{self.log()[-3000:]}")

    def wait_ready(self):
        wait_until(lambda: self.request("GET", "/readyz").status == 200, 60, "the server is ready:\n" + self.log()[-2000:])

    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8", errors="replace")

    def end(self):
        """Ends the process; what it left in its state folder is still there."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def stop(self) -> int:
        if self.log_stream.closed:
            return self.process.returncode
        self.end()
        self.log_stream.close()
        if self.process.returncode not in self.ends or "Sanitizer" in self.log():
            print(self.log()[-6000:], flush=True)
        shutil.rmtree(self.state, ignore_errors=True)
        return self.process.returncode

    def request(self, method, path, body=None, headers=None, timeout=180) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return Reply(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())

    def post(self, message, bearer=None, path="/mcp", **headers) -> Reply:
        """A JSON-RPC message as it is, of the era that its caller chose."""
        fields = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                  "Authorization": f"Bearer {bearer or token()}", **headers}
        body = message if isinstance(message, (bytes, str)) else json.dumps(message)
        return self.request("POST", path, body.encode() if isinstance(body, str) else body,
                            {name: value for name, value in fields.items() if value is not None})

    @staticmethod
    def message(method, params=None, request_id=1):
        meta = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}
        return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": {**(params or {}), "_meta": meta}}

    @staticmethod
    def routing(method, name=None):
        return {"MCP-Protocol-Version": VERSION, "Mcp-Method": method, **({"Mcp-Name": name} if name else {})}

    def call(self, tool="run_python", user="ada", **arguments) -> Result:
        """One tool call in the newest era."""
        started = time.monotonic()
        reply = self.post(self.message("tools/call", {"name": tool, "arguments": arguments}), token(user),
                          **self.routing("tools/call", tool))
        answer = reply.json()
        if "result" not in answer:
            raise AssertionError(f"{reply.status}: {answer}")
        content = answer["result"]["content"]
        text = "\n".join(block["text"] for block in content if block["type"] == "text")
        images = [(block["mimeType"], base64.b64decode(block["data"])) for block in content if block["type"] == "image"]
        links = dict(re.findall(r"\[((?:[^\]\\]|\\.)*)\]\(((?:https?://|/)[^)\s]+)\)", text))
        return Result(text, images, answer["result"].get("isError", False), time.monotonic() - started, links)

    def fetch(self, link) -> bytes:
        """What lies behind a link of a result, asked of this server."""
        url = urllib.parse.urlsplit(link)
        reply = self.request("GET", url.path + ("?" + url.query if url.query else ""))
        if reply.status != 200:
            raise AssertionError(f"{link} answered {reply.status}")
        return reply.body

    def containers(self) -> set:
        """The ids of this server's sandboxes on the engine."""
        name = (self.state / "state" / "instance").read_text().strip()
        return set(engine_cli("ps", "-aq", "--no-trunc", "--filter", f"label=codebox.instance={name}").stdout.split())

    def new_container(self, before: set) -> str:
        return wait_until(lambda: self.containers() - before, 60, "a sandbox appears").pop()

    def open_call(self, code, user="ada", **arguments) -> socket.socket:
        """Sends a call and returns its connection without waiting for the answer."""
        body = json.dumps(self.message("tools/call", {"name": "run_python", "arguments": {"code": code, **arguments}}))
        head = {"Host": "127.0.0.1", "Content-Type": "application/json", "Accept": "application/json",
                "Authorization": f"Bearer {token(user)}", "Content-Length": str(len(body.encode())),
                **self.routing("tools/call", "run_python")}
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        connection.sendall(f"POST /mcp HTTP/1.1\r\n{lines}\r\n".encode() + body.encode())
        return connection


class Case(unittest.TestCase):
    """A test against the one server that all cases share; it runs calls, so it needs an engine and the image."""
    shared = None
    lock = threading.Lock()

    def setUp(self):
        if not image:
            self.skipTest("no engine or no Python image is there")

    @property
    def server(self) -> Server:
        with Case.lock:
            if Case.shared is None:
                Case.shared = Server().__enter__()
                Case.shared.wait_ready()
        return Case.shared

    def run_python(self, code, **arguments) -> Result:
        return self.server.call(code=code, **arguments)

    def assert_ran(self, result: Result):
        self.assertFalse(result.is_error, result.text)

    def assert_refused(self, result: Result, *words):
        """It never started, and the sentence holds each of `words`."""
        self.assertTrue(result.is_error, result.text)
        for word in words:
            self.assertIn(word, result.text)


def run(folder: pathlib.Path, pattern: str, keywords: list) -> int:
    """Runs the tests of a folder and closes with the line of counts that scripts/test reads."""
    loader = unittest.TestLoader()
    if keywords:
        loader.testNamePatterns = [f"*{keyword}*" for keyword in keywords]
    stream = os.fdopen(1, "w", buffering=1, closefd=False)
    status = again.run_counted(lambda: loader.discover(str(folder), pattern, top_level_dir=str(folder)), stream)
    if Case.shared is not None:
        Case.shared.stop()
    return status
