"""The protocol's official conformance suite against a real server, with a plugin that brings the tools it calls."""
import contextlib
import fnmatch
import json
import os
import pathlib
import re
import shutil
import socket
import socketserver
import subprocess
import threading
import unittest

import box
import folder
from mcp_clients import CACHE, install

VERSION = "0.2.0-alpha.12"
NODE = "22.23.3"   # the suite does not run on older ones, which a system may have
SOMEBODY = "conformance"

# The checks that fail because they ask for what this server does not offer, and why it does not: each pattern of
# "scenario:check" must meet a failure, and no other check may fail.
EXPECTED = {
    "2025-11-25": {
        "it has tools alone, no resources": ["resources-*:*"],
        "it has tools alone, no prompts": ["prompts-*:*"],
        "there are no prompts or resources whose arguments it could complete": ["completion-complete:*"],
        "its tools never ask the client back": ["tools-call-sampling:*", "tools-call-elicitation:*", "elicitation-sep1034-defaults:*",
                                                "elicitation-sep1330-enums:*"],
    },
    "2026-07-28": {
        "it has tools alone, no resources": ["resources-*:*", "caching:*-resources-*"],
        "it has tools alone, no prompts": ["prompts-*:*", "caching:*-prompts-*", "input-required-result-non-tool-request:*"],
        "there are no prompts or resources whose arguments it could complete": ["completion-complete:*"],
        "its tools never ask the client back": [
            "input-required-result-basic-*:*-incomplete", "input-required-result-capability-check:*",
            "input-required-result-multi-round:*", "input-required-result-multiple-input-requests:*",
            "input-required-result-request-state:*", "input-required-result-result-type:*",
            "input-required-result-tampered-state:*"],
        "a call is one request: it has no tasks, which are an extension and are not scored": ["tasks-*:*"],
    },
}


# What the plugin is there for: these must have been run at all.
MUST_PASS = ["tools-list", "tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource",
             "tools-call-mixed-content", "tools-call-error", "tools-call-with-progress", "server-sse-multiple-streams",
             "dns-rebinding-protection", "json-schema-2020-12"]
MUST_PASS_TOO = {"2025-11-25": ["server-initialize", "ping", "logging-set-level", "tools-call-with-logging"],
                 "2026-07-28": ["server-stateless", "http-header-validation", "http-custom-header-server-validation"]}


def suite() -> pathlib.Path:
    if not shutil.which("npm"):
        raise unittest.SkipTest("skipped: npm is not installed")
    folder = CACHE / f"mcp-conformance-{VERSION}"
    package = f"@modelcontextprotocol/conformance@{VERSION}"
    install([["npm", "install", "--silent", "--no-save", "--prefix", str(folder), f"node@{NODE}", package]], folder, package)
    return folder


class Doorman(socketserver.ThreadingTCPServer):
    """Hands each request on to the server with a token, which the suite has no way to send; one request a connection."""
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, server_port):
        self.server_port = server_port
        super().__init__(("127.0.0.1", 0), Visitor)


class Visitor(socketserver.BaseRequestHandler):
    def handle(self):
        request = b""
        while b"\r\n\r\n" not in request:
            more = self.request.recv(65536)
            if not more:
                return
            request += more
        head, body = request.split(b"\r\n\r\n", 1)
        lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
        lines += [b"Connection: close", f"Authorization: Bearer {box.token(SOMEBODY)}".encode()]
        with socket.create_connection(("127.0.0.1", self.server.server_port)) as onward:
            onward.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
            back = threading.Thread(target=copy, args=(onward, self.request))
            back.start()
            copy(self.request, onward)
            back.join()


def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for end in (source, target):   # one side is gone, so is the other
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Conformance(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = suite()
        place = folder.temporary()
        cls.place = place.__enter__()
        cls.addClassCleanup(place.__exit__, None, None, None)
        plugins = cls.place / "plugins"
        plugins.mkdir(mode=0o755)
        folder.put(folder.built("conformance"), plugins / "conformance.so")
        cls.server = box.Server(PLUGIN_DIR=str(plugins), SANDBOX_LANGUAGES=None).__enter__()
        cls.addClassCleanup(cls.server.stop)
        cls.door = Doorman(cls.server.port)
        threading.Thread(target=cls.door.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.door.server_close)
        cls.addClassCleanup(cls.door.shutdown)

    def run_suite(self, revision) -> dict:
        """"scenario:check" -> (status, message) of every check of a revision."""
        out = self.place / revision
        script = self.folder / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        done = subprocess.run([self.folder / "node_modules/.bin/node", script, "server", "--url",
                               f"http://localhost:{self.door.server_address[1]}/mcp", "--requirements", revision, "-o", out],
                              capture_output=True, text=True, timeout=300, env=environment, cwd=self.place, check=False)
        found = {}
        for file in out.glob("server-*/checks.json"):
            scenario = re.sub(r"-\d{4}-\d\d-\d\dT.*", "", file.parent.name.removeprefix("server-"))
            for check in json.loads(file.read_text()):
                found.setdefault(f"{scenario}:{check['id']}", []).append((check["status"], check.get("errorMessage", "")))
        self.assertTrue(found, done.stdout[-2000:] + done.stderr[-2000:])
        return found

    def compare(self, revision):
        found = self.run_suite(revision)
        statuses = [status for checks in found.values() for status, _ in checks]
        passed, failed = statuses.count("SUCCESS"), {name: checks for name, checks in found.items()
                                                      if any(status == "FAILURE" for status, _ in checks)}
        print(f"conformance {revision}: {passed} checks pass, {statuses.count('FAILURE')} fail as expected, "
              f"{len(found)} kinds of check in all", flush=True)
        patterns = [pattern for patterns in EXPECTED[revision].values() for pattern in patterns]
        unexpected = {name: checks for name, checks in failed.items()
                      if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)}
        self.assertEqual(unexpected, {}, "fails, and is not expected to")
        stale = [pattern for pattern in patterns if not fnmatch.filter(failed, pattern)]
        self.assertEqual(stale, [], "is expected to fail, but does not: take it from the list")
        for name in MUST_PASS + MUST_PASS_TOO[revision]:
            with self.subTest(name):
                self.assertTrue([True for check in found if check.startswith(name + ":")], "was not run")

    def test_2025_11_25(self):
        self.compare("2025-11-25")

    def test_2026_07_28(self):
        self.compare("2026-07-28")
