"""How the engine is reached, and that its limits bite."""
import http.server
import json
import os
import pathlib
import socketserver
import subprocess
import tempfile
import threading
import unittest

import box
from tls_proxy import TlsEngine


def engine_socket() -> str:
    """The socket of the engine under test, where it has a lasting one."""
    host = os.environ.get("CONTAINER_HOST", "unix:///var/run/docker.sock" if box.engine == "docker" else "")
    path = host.removeprefix("unix://")
    if not path or not pathlib.Path(path).is_socket():
        raise unittest.SkipTest("the engine under test has no socket of its own")
    return path


class Remote(box.Case):
    def test_a_program_runs_on_an_engine_behind_tls(self):
        with TlsEngine(engine_socket()) as engine, box.Server(**engine.settings()) as server:
            server.wait_ready()
            result = server.call(code='print(open("a.txt").read() * 3)\nopen("output/big", "wb").write(b"x" * 3_000_000)',
                                 input_files=[{"path": "a.txt", "text": "over TLS "}])
            self.assert_ran(result)
            self.assertIn("over TLS over TLS over TLS", result.text)
            self.assertIn("big", result.text)
            box.wait_until(lambda: not server.containers(), 30, "the sandbox is gone")

    def test_a_foreign_certificate_is_refused_with_a_sentence(self):
        with TlsEngine(engine_socket()) as engine, TlsEngine(engine_socket()) as other:
            for settings in ({"CONTAINER_TLS_CA": other.ca}, {"CONTAINER_TLS_CERT": other.cert, "CONTAINER_TLS_KEY": other.key}):
                with self.subTest(settings), box.Server(**{**engine.settings(), **settings}) as server:
                    result = server.call(code="print(1)")
                    self.assertTrue(result.is_error)
                    self.assertRegex(result.text, "TLS|broke the connection")

    def test_a_key_that_is_not_there_is_named(self):
        with TlsEngine(engine_socket()) as engine:
            with box.Server(**{**engine.settings(), "CONTAINER_TLS_KEY": "/nowhere/key.pem"}) as server:
                result = server.call(code="print(1)")
                self.assertTrue(result.is_error)
                self.assertIn("CONTAINER_TLS_KEY", result.text)
                self.assertIn("/nowhere/key.pem", result.text)


class Told(http.server.BaseHTTPRequestHandler):
    """An engine that only says what it is."""

    def do_GET(self):
        answers = [answer for end, answer in self.server.answers.items() if self.path.endswith(end)]
        body = json.dumps(answers[0] if answers else {"message": "not found"}).encode()
        self.send_response(200 if answers else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return "socket"

    def log_message(self, *_):
        pass


class Rootless(unittest.TestCase):
    """Against an engine that is played: what a rootless one says of itself decides."""
    version = {"ApiVersion": "1.41", "MinAPIVersion": "1.24", "Version": "4.3.1", "Components": [{"Name": "Podman Engine"}]}

    def said(self, version, **answers):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/engine.sock"

            class Engine(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
                daemon_threads = True

            with Engine(path, Told) as engine:
                engine.answers = {"/version": version, **{f"/{name}": value for name, value in answers.items()}}
                threading.Thread(target=engine.serve_forever, daemon=True).start()
                with box.Server(CONTAINER_HOST=f"unix://{path}", SANDBOX_IMAGE_PYTHON="codebox/none:1", SANDBOX_PULL="never") as server:
                    text = server.call(code="print(1)").text
                engine.shutdown()
        return text

    def test_podman_on_cgroup_v1_is_refused_by_name(self):
        text = self.said(self.version, info={"CgroupVersion": "1", "SecurityOptions": ["name=seccomp", "name=rootless"]})
        self.assertIn("rootless Podman", text)
        self.assertIn("cannot apply limits", text)
        self.assertIn("cgroup v1", text)

    def test_a_controller_that_is_not_delegated_is_named(self):
        rootless = {"CgroupVersion": "2", "SecurityOptions": ["name=rootless"], "host": {"cgroupControllers": ["memory", "pids"]}}
        self.assertIn("controller cpu is not delegated", self.said(self.version, info=rootless))

    def test_docker_without_a_limit_is_refused_by_name(self):
        info = {"CgroupVersion": "2", "SecurityOptions": ["name=rootless"], "MemoryLimit": True, "PidsLimit": False}
        text = self.said({**self.version, "Components": []}, info=info)
        self.assertIn("rootless Docker", text)
        self.assertIn("PidsLimit", text)


class Limits(box.Case):
    def test_ten_gigabytes_are_out_of_memory(self):
        result = self.run_python("x = bytearray(10 << 30)\nfor i in range(0, len(x), 4096): x[i] = 1\nprint('all of it')")
        self.assertNotIn("all of it", result.text)
        self.assertRegex(result.text.lower(), "out of memory|memoryerror")
        grown = self.run_python("x = []\nwhile True: x.append(bytearray(b'1') * (16 << 20))")
        self.assertIn("out of memory", grown.text.lower())


class Embedded(box.Case):
    def test_with_nothing_started_podman_serves_and_leaves_nothing(self):
        if box.engine != "podman" or os.environ.get("CONTAINER_HOST"):
            self.skipTest("the engine is not the server's own")
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "hello.py"
            program.write_text("print('hello from', 6 * 7)\n")
            settings = {name: os.environ[name] for name in ("CONTAINERS_STORAGE_CONF",) if name in os.environ}
            plugins = os.environ.get("PLUGIN_DIR") or pathlib.Path(box.codebox).resolve().parent.parent / "plugins"
            settings.update(PATH=os.environ["PATH"], STATE_DIR=f"{folder}/state", CONTAINER_BACKEND="podman",
                            PLUGIN_DIR=str(plugins), SANDBOX_LANGUAGES="python", SANDBOX_IMAGE_PYTHON=box.image, HOME=folder)
            done = subprocess.run([box.codebox, "run", "python", str(program)], env=settings, cwd=folder, text=True,
                                      stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            self.assertIn("hello from 42", done.stdout)
            # Podman's own tidying after a container is not over when the container is.
            box.wait_until(lambda: not self.left(f"{folder}/state/podman"), 15, "no process of the server's Podman is left")
            self.assertEqual(list(pathlib.Path(folder, "state/podman").glob("*.sock")), [])

    @staticmethod
    def left(place) -> list:
        """The processes whose environment names a place."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                if place.encode() in path.read_bytes():
                    found.append((path.parent / "cmdline").read_bytes().replace(b"\0", b" "))
            except OSError:
                continue  # it ended meanwhile
        return found
