"""The program as people type it: words that are no command, help, and settings that keep a server from starting."""
import contextlib
import os
import pathlib
import socket
import subprocess
import tempfile
import unittest

import box


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="codebox-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def codebox(self, *words, stdin="", **settings):
        environment = {"PATH": os.environ["PATH"], "JWT_SECRET": box.SECRET, "STATE_DIR": str(self.folder / "state"),
                       "HOST": "127.0.0.1", "PORT": "0", "SANDBOX_LANGUAGES": "python", "SANDBOX_POOL_SIZE": "0",
                       "CONTAINER_BACKEND": "docker", **settings}
        done = subprocess.run([box.codebox, *words], env=environment, cwd=self.folder, input=stdin, text=True,
                              capture_output=True, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def refused(self, *words, **settings) -> str:
        """The one sentence on stderr of a call that ends with status 2."""
        status, said, complaint = self.codebox(*words, **settings)
        self.assertEqual((status, said), (2, ""), complaint)
        self.assertRegex(complaint, r"\Acodebox: [^\n]+\n\Z")
        return complaint

    def test_words_that_are_no_command_are_named(self):
        self.assertIn('There is no command "serv": see codebox --help.', self.refused("serv"))
        self.assertIn('There is no command "chek": see codebox --help.', self.refused("plugin", "chek"))
        self.assertIn("subcommand is required", self.refused())
        self.assertIn("--nonsense", self.refused("serve", "--nonsense"))
        self.assertIn("--user is required", self.refused("token"))

    def test_help_and_version_are_said_on_stdout(self):
        status, said, complaint = self.codebox("--help")
        self.assertEqual((status, complaint), (0, ""))
        self.assertIn("Usage: codebox [OPTIONS] SUBCOMMAND", said)
        status, said, complaint = self.codebox("--version")
        self.assertEqual((status, complaint), (0, ""))
        self.assertRegex(said, r"\Acodebox \d+\.\d+\.\d+\n\Z")

    def test_a_state_folder_that_cannot_be_made_says_what_is_in_the_way(self):
        (self.folder / "file").write_text("")
        self.assertIn("Not a directory", self.refused("serve", STATE_DIR=str(self.folder / "file" / "state")))

    def test_hosts_and_a_proxy_that_cannot_be_read_end_the_start_and_not_each_call(self):
        self.assertIn('SANDBOX_ALLOWED_HOSTS has "https://pypi.org"', self.refused("serve", SANDBOX_ALLOWED_HOSTS="https://pypi.org"))
        self.assertIn("EGRESS_PROXY cannot be read", self.refused("serve", EGRESS_PROXY="ftp://proxy"))

    def test_a_port_that_is_taken_is_said_in_plain_words(self):
        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as other:
            port = other.getsockname()[1]
            self.assertIn(f"The server cannot listen on 127.0.0.1 port {port} (Address already in use: 127.0.0.1:{port});",
                          self.refused("serve", PORT=str(port)).split("codebox: ", 1)[1])

    def test_a_run_whose_outputs_would_be_lost_is_refused_before_it_begins(self):
        (self.folder / "file").write_text("")
        self.assertIn("The output folder", self.refused("run", "python", "-", "--output-dir", str(self.folder / "file" / "x")))
        for timeout in ("nan", "-1", "0", "soon"):
            with self.subTest(timeout):
                self.assertIn("--timeout", self.refused("run", "python", "-", "--timeout", timeout))

    def test_a_run_without_an_engine_says_so_once(self):
        status, said, complaint = self.codebox("run", "python", "-", stdin="print(1)", CONTAINER_HOST="unix:///nonexistent.sock")
        self.assertEqual((status, said), (1, ""))
        self.assertEqual(complaint.count("/nonexistent.sock"), 1, complaint)
        self.assertNotIn("cancelled", complaint)
