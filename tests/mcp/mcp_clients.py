"""Real clients: Python's mcp in the two versions that Open WebUI uses, and the TypeScript SDK where node is there."""
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import box

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("CODEBOX_CACHE", HERE.parent.parent / ".cache"))
TYPESCRIPT = "1.32.2"


def install(command, folder, done):
    """Runs an installer into `folder`, once: a folder without its mark was cut short and is made anew."""
    mark = folder / ".installed"
    if not mark.exists() or mark.read_text() != done:
        print(f"installing {done}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for step in command:
            made = subprocess.run(step, capture_output=True, text=True, timeout=600, check=False, cwd=folder)
            if made.returncode:
                raise unittest.SkipTest(f"{done} could not be installed: {(made.stderr or made.stdout)[-300:]}")
        mark.write_text(done)


@functools.cache
def python_with(version: str) -> str:
    folder = CACHE / "venvs" / f"mcp-{version}"
    python = str(folder / "bin" / "python")
    install([[sys.executable, "-m", "venv", str(folder)],
             [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", f"mcp=={version}"]],
            folder, f"mcp=={version}")
    return python


@functools.cache
def node_folder() -> pathlib.Path:
    if not shutil.which("node") or not shutil.which("npm"):
        raise unittest.SkipTest("node or npm is not installed")
    folder = CACHE / f"mcp-ts-{TYPESCRIPT}"
    package = f"@modelcontextprotocol/sdk@{TYPESCRIPT}"
    install([["npm", "install", "--silent", "--no-save", "--prefix", str(folder), package]], folder, package)
    shutil.copy(HERE / "client.mjs", folder)
    return folder


class Clients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = box.Server().__enter__()
        cls.addClassCleanup(cls.server.stop)
        if box.image:
            cls.server.wait_ready()

    def see(self, command, cwd=None):
        environment = {**os.environ, "CODEBOX_TOKEN": box.token()}
        for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
            environment.pop(name, None)
        words = ["run"] if box.image else []
        done = subprocess.run([*command, *words], env=environment, cwd=cwd, capture_output=True, text=True, timeout=180,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        seen = json.loads(done.stdout.strip().splitlines()[-1])
        self.assertIn("run_python", seen["tools"])
        self.assertIn("list_python_packages", seen["tools"])
        self.assertEqual(seen["schema"], "object")
        self.assertTrue(seen["bad_arguments"][0], "a call without code is an error that the model can read")
        self.assertIn("code", seen["bad_arguments"][1])
        if box.image:
            self.assertFalse(seen["is_error"], seen["text"])
            self.assertIn("from 42", seen["text"])
        return seen

    def url(self, path="/mcp"):
        return f"http://127.0.0.1:{self.server.port}{path}"

    def test_python_2_3_0_negotiates_by_itself(self):
        self.see([python_with("2.3.0"), HERE / "py_new.py", self.url(), "auto"])

    def test_python_2_3_0_in_the_legacy_era(self):
        self.see([python_with("2.3.0"), HERE / "py_new.py", self.url(), "legacy"])

    def test_python_2_3_0_in_the_newest_era_without_a_question(self):
        self.see([python_with("2.3.0"), HERE / "py_new.py", self.url(), "2026-07-28"])

    def test_python_1_27_2(self):
        seen = self.see([python_with("1.27.2"), HERE / "py_old.py", self.url(), "-"])
        self.assertEqual(seen["version"], "2025-11-25")

    def test_python_1_27_2_with_a_trailing_slash(self):
        self.see([python_with("1.27.2"), HERE / "py_old.py", self.url("/mcp/"), "-"])

    def test_typescript_1_32_2(self):
        folder = node_folder()
        self.see(["node", folder / "client.mjs", self.url()], cwd=folder)

    def test_a_client_without_a_token_is_told_so(self):
        done = subprocess.run([python_with("2.3.0"), HERE / "py_new.py", self.url(), "auto"], capture_output=True, text=True,
                              env={**os.environ, "CODEBOX_TOKEN": "none"}, timeout=120, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("token", done.stderr)
