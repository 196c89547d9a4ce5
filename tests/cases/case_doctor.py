"""`codebox doctor`: what it says of good and bad settings, and with which exit status. These need no engine."""
import json
import os
import pathlib
import socket
import subprocess
import tempfile
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
        values = {"HOST": "127.0.0.1", "PORT": "0", "JWT_SECRET": box.SECRET, "PLUGIN_DIR": str(plugins),
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
        self.assertEqual(found["settings"], ("problem", "The setting PORT is malformed: it must be a port from 0 to 65535."))
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

    def test_type_openapi_is_told_to_choose_mcp(self):
        for path in ("/mcp/openapi.json", "/openapi.json"):
            reply = self.server.request("GET", path)
            self.assertEqual(reply.status, 404)
            self.assertIn("MCP (Streamable HTTP)", reply.json()["error"])

    def test_auth_none_and_bearer_are_told_to_choose_session(self):
        for authorization in (None, "Bearer a-key-typed-by-the-administrator"):
            reply = self.server.post(self.server.message("tools/list"), Authorization=authorization,
                                     **self.server.routing("tools/list"))
            self.assertEqual(reply.status, 401)
            self.assertIn("set the connection's authentication to Session", reply.json()["error"]["message"])
