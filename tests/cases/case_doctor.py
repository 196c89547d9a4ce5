"""`codebox doctor`: what it says of good and bad settings, and with which exit status. These need no engine."""
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest

import box
from case_openwebui import OpenWebUI

ABSENT = "unix:///nonexistent/engine.sock"


class Looking(unittest.TestCase):
    """Runs `codebox doctor` in a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="codebox-doctor-")))

    def run_doctor(self, *options, dotenv=None, **settings):
        """Exit status and output with these settings over good ones; None leaves one out."""
        plugins = os.environ.get("PLUGIN_DIR") or pathlib.Path(box.codebox).resolve().parent.parent / "plugins"
        values = {"HOST": "127.0.0.1", "PORT": "0", "JWT_SECRET": box.SECRET, "PLUGIN_DIR": str(plugins), "SANDBOX_LANGUAGES": "python",
                  "STATE_DIR": str(self.folder / "state"), "CONTAINER_HOST": ABSENT, **settings}
        environment = {name: value for name, value in values.items() if value is not None}
        environment.update({name: os.environ[name] for name in ("PATH", "ASAN_OPTIONS", "TSAN_OPTIONS") if name in os.environ})
        if dotenv is not None:
            (self.folder / ".env").write_text(dotenv)
        ended = subprocess.run([box.codebox, "doctor", *options], env=environment, cwd=self.folder, timeout=120,
                               stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertNotIn(box.SECRET, ended.stdout + ended.stderr)
        return ended.returncode, ended.stdout

    def checks(self, **settings):
        """Exit status and the JSON's lines as topic -> (verdict, text); of several of a topic the worst."""
        status, output = self.run_doctor("--json", **settings)
        report = json.loads(output)
        self.assertEqual(report["exit_status"], status)
        found = {}
        for line in report["checks"]:
            order = ("ok", "warning", "problem")
            if line["topic"] not in found or order.index(line["verdict"]) > order.index(found[line["topic"]][0]):
                found[line["topic"]] = (line["verdict"], line["text"])
        return status, found


class Doctor(Looking):
    def test_good_settings_without_an_engine_are_one_problem(self):
        status, output = self.run_doctor()
        self.assertEqual(status, 1)
        problems = [line for line in output.splitlines() if line.startswith("problem ")]
        self.assertEqual(len(problems), 1, output)
        self.assertIn("/nonexistent/engine.sock", problems[0])
        self.assertRegex(output, r"(?m)^ok +token ")
        self.assertRegex(output, r"(?m)^ok +plugins +Offered: .*python")
        self.assertRegex(output, r"(?m)^\d+ ok, warnings: \d+, problems: 1$")
        self.assertFalse((self.folder / "state").exists(), "doctor changes nothing")

    def test_lines_and_json_say_the_same(self):
        _, output = self.run_doctor()
        _, report = self.run_doctor("--json")
        lines = [(line["verdict"], line["topic"]) for line in json.loads(report)["checks"]]
        self.assertEqual(lines, [tuple(line.split()[:2]) for line in output.splitlines()[:-1]])

    def test_settings_that_cannot_be_read_are_status_2_and_still_json(self):
        status, found = self.checks(PORT="eighty")
        self.assertEqual(status, 2)
        self.assertEqual(found["settings"], ("problem", "The setting PORT is malformed: it must be a port from 0 to 65535, and is \"eighty\"."))
        status, output = self.run_doctor(dotenv="SANDBOX_MAX_MEMROY=1GB\n")
        self.assertEqual(status, 2)
        self.assertIn("SANDBOX_MAX_MEMORY?", output)

    def test_every_bad_setting_is_named_in_one_go(self):
        status, found = self.checks(JWT_SECRET="short", OWUI_BASE_URL="open-webui", HOST="192.0.2.1",
                                    STATE_DIR="/proc/codebox", SANDBOX_ALLOWED_HOSTS="no/host",
                                    SANDBOX_CA_BUNDLE="/nonexistent/ca.pem", SANDBOX_LANGUAGES="cobol")
        self.assertEqual(status, 2)
        for topic, word in (("token", "JWT_SECRET"), ("open-webui", "OWUI_BASE_URL"), ("port", "HOST"), ("state", "STATE_DIR"),
                            ("network", "SANDBOX_ALLOWED_HOSTS"), ("ca-bundle", "SANDBOX_CA_BUNDLE"), ("plugins", "cobol")):
            with self.subTest(topic):
                self.assertEqual(found[topic][0], "problem")
                self.assertIn(word, found[topic][1])

    def test_a_port_is_told_apart_as_ours_or_anothers(self):
        with box.Server() as server:
            _, found = self.checks(PORT=str(server.port))
            self.assertEqual(found["port"][0], "ok", found)
            self.assertIn("already", found["port"][1])
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            _, found = self.checks(PORT=str(other.getsockname()[1]))
            self.assertEqual(found["port"][0], "problem", found)

    def test_another_server_than_open_webui_and_none_at_all(self):
        with OpenWebUI() as webui:
            _, found = self.checks(OWUI_BASE_URL=webui.url)
            self.assertIn("not as Open WebUI", found["open-webui"][1])
        _, found = self.checks(OWUI_BASE_URL=f"http://127.0.0.1:{box.free_port()}")
        self.assertIn("does not answer", found["open-webui"][1])

    def test_passwords_in_addresses_are_not_shown(self):
        _, output = self.run_doctor(EGRESS_PROXY="http://ann:hidden-word@127.0.0.1:1",
                                    OWUI_BASE_URL="http://ann:hidden-word@127.0.0.1:1",
                                    SANDBOX_ENV_PYTHON="PIP_INDEX_URL=https://ann:hidden-word@index.example/simple")
        self.assertNotIn("hidden-word", output)
        self.assertIn("EGRESS_PROXY at 127.0.0.1 port 1 cannot be reached", output)


class Version(http.server.BaseHTTPRequestHandler):
    """Open WebUI as far as doctor asks it: its version, and a refusal whose words depend on the token's signature."""

    def do_GET(self):
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ")
        signed, _, signature = bearer.rpartition(".")
        fits = signature == box.encode(hmac.new(box.SECRET.encode(), signed.encode(), hashlib.sha256).digest())
        known = {"/chat/api/version": (200, {"version": "0.12.4"}),
                 "/chat/api/v1/files/user/count": (401, {"detail": "nobody" if fits else "no"})}
        status, answer = known.get(self.path, (404, {}))
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@unittest.skipUnless(shutil.which("openssl"), "the program openssl is not here")
class PrivateAuthority(Looking):
    """Open WebUI at a URL with a path, behind a certificate that only OWUI_CA_BUNDLE vouches for."""

    def setUp(self):
        super().setUp()
        self.certificate, self.key = self.folder / "cert.pem", self.folder / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "90",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", self.key,
                        "-out", self.certificate], check=True, capture_output=True, timeout=60)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Version)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.url = f"https://localhost:{server.server_port}/chat/"

    def test_it_is_trusted_with_its_authority_and_only_then(self):
        _, found = self.checks(OWUI_BASE_URL=self.url, OWUI_CA_BUNDLE=str(self.certificate))
        for topic in ("open-webui", "open-webui-tls", "clock", "secret"):
            self.assertEqual(found[topic][0], "ok", found)
        _, found = self.checks(OWUI_BASE_URL=self.url)
        self.assertEqual(found["open-webui"][0], "problem", found)
        self.assertIn("OWUI_CA_BUNDLE", found["open-webui"][1])
        _, found = self.checks(OWUI_BASE_URL=self.url, OWUI_VERIFY_TLS="false")
        self.assertEqual(found["open-webui-tls"][0], "warning", found)

    def test_a_secret_that_does_not_fit_is_found(self):
        _, found = self.checks(OWUI_BASE_URL=self.url, OWUI_CA_BUNDLE=str(self.certificate),
                               JWT_SECRET="another-secret-0123456789-abcdefghijkl")
        self.assertEqual(found["secret"][0], "problem", found)

    def test_the_servers_own_certificate_is_looked_at(self):
        _, found = self.checks(TLS_CERT=str(self.certificate), TLS_KEY=str(self.key))
        self.assertEqual(found["tls"][0], "ok", found)
        status, found = self.checks(TLS_CERT=str(self.certificate), TLS_KEY=str(self.certificate))
        self.assertEqual((status, found["tls"][0]), (2, "problem"), found)


class Fit(Looking):
    """All is well: the engine answers and the image is there."""

    def setUp(self):
        super().setUp()
        if not box.image:
            self.skipTest("no engine or no Python image is there")

    def test_a_machine_that_is_fit_has_no_problem(self):
        status, found = self.checks(CONTAINER_HOST=os.environ.get("CONTAINER_HOST"), SANDBOX_LANGUAGES="python",
                                    SANDBOX_IMAGE_PYTHON=box.image, SANDBOX_MAX_INSTALL="64MB")
        self.assertEqual(status, 0, found)
        for topic in ("engine", "socket", "cgroups", "limits", "image"):
            self.assertIn(topic, found)
        self.assertEqual(found["image"][0], "ok", found)


class Wrong(unittest.TestCase):
    """The connection types that an administrator may choose by mistake, each answered with what to choose."""

    @classmethod
    def setUpClass(cls):
        cls.server = box.Server().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_type_openapi_with_the_address_of_mcp_is_told_what_to_choose(self):
        reply = self.server.request("GET", "/mcp/openapi.json")
        self.assertEqual(reply.status, 404)
        self.assertIn("MCP (Streamable HTTP)", reply.json()["error"])

    def test_auth_none_and_bearer_are_told_to_choose_session(self):
        for authorization in (None, "Bearer a-key-typed-by-the-administrator"):
            reply = self.server.post(self.server.message("tools/list"), Authorization=authorization,
                                     **self.server.routing("tools/list"))
            self.assertEqual(reply.status, 401)
            self.assertIn("set the connection's authentication to Session", reply.json()["error"]["message"])
