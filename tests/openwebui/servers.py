"""Starts and ends what the tests talk to: the scripted model, Open WebUI and Codebox."""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import requests

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "tests" / "cases"))
from box import free_port, name_instance  # noqa: E402

SECRET = "tests-secret-key-0123456789-abcdefghijkl"
ADMIN = ("admin@example.test", "adminpass123")


def codebox_binary():
    """The server to test, or None where it is not built."""
    given = os.environ.get("CODEBOX_BINARY")
    built = [ROOT / "build" / kind / "bin" / "codebox" for kind in ("dev", "release")]
    for path in [Path(given)] if given else built:
        if path.exists():
            return path.resolve()
    return None


def with_open_webui(cleanup):
    """Servers of which Open WebUI runs, until the cleanup (addClassCleanup, addModuleCleanup) comes; skips without a build."""
    if codebox_binary() is None:
        raise unittest.SkipTest("skipped: the server is not built; CODEBOX_BINARY may name it")
    servers = Servers()
    cleanup(servers.end)
    servers.start_open_webui()
    return servers


class Servers:
    """Everything that runs for the tests, in one temporary folder."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="codebox-openwebui-"))
        self.processes = []
        self.url = None
        atexit.register(self.end)  # also where the tests are interrupted before their own cleanup is known

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def start(self, name, argv, environment, healthy, patience):
        with open(self.folder / f"{name}.log", "ab") as log:
            process = subprocess.Popen([str(part) for part in argv], env=environment, stdout=log, stderr=log,
                                       stdin=subprocess.DEVNULL, cwd=self.folder)
        self.processes.append(process)
        end = time.time() + patience
        while time.time() < end:
            if process.poll() is not None:
                raise RuntimeError(f"{name} ended with {process.returncode}:\n{self.log(name)[-3000:]}")
            try:
                if requests.get(healthy, timeout=5).ok:
                    return process
            except requests.RequestException:
                pass
            time.sleep(0.2)
        raise RuntimeError(f"{name} did not come up in {patience} s:\n{self.log(name)[-3000:]}")

    def start_open_webui(self):
        model, port = free_port(), free_port()
        self.start("model", [sys.executable, HERE / "scripted_model.py", model], dict(os.environ),
                   f"http://127.0.0.1:{model}/v1/models", 60)
        data, static = self.folder / "data", self.folder / "static"
        data.mkdir()
        static.mkdir()
        email, password = ADMIN
        environment = {
            **os.environ, "FROM_INIT_PY": "true", "USE_SLIM_DOCKER": "true", "DATA_DIR": str(data),
            "STATIC_DIR": str(static), "WEBUI_SECRET_KEY": SECRET, "WEBUI_ADMIN_EMAIL": email,
            "WEBUI_ADMIN_PASSWORD": password, "WEBUI_ADMIN_NAME": "Admin", "ENABLE_OLLAMA_API": "false",
            "OPENAI_API_BASE_URL": f"http://127.0.0.1:{model}/v1", "OPENAI_API_KEY": "sk-tests",
            "RAG_EMBEDDING_ENGINE": "openai", "RAG_OPENAI_API_BASE_URL": f"http://127.0.0.1:{model}/v1",
            "RAG_OPENAI_API_KEY": "sk-tests", "OFFLINE_MODE": "true", "HF_HUB_OFFLINE": "1",
            "VECTOR_DB": "pgvector", "BYPASS_EMBEDDING_AND_RETRIEVAL": "true",
            "BYPASS_MODEL_ACCESS_CONTROL": "true",
            "ENABLE_VERSION_UPDATE_CHECK": "false", "ANONYMIZED_TELEMETRY": "false", "DO_NOT_TRACK": "true",
            "SCARF_NO_ANALYTICS": "true", "ENABLE_SIGNUP": "true", "CORS_ALLOW_ORIGIN": "*",
            "ENABLE_TITLE_GENERATION": "false", "ENABLE_FOLLOW_UP_GENERATION": "false",
            "ENABLE_TAGS_GENERATION": "false", "ENABLE_AUTOCOMPLETE_GENERATION": "false"}
        self.url = f"http://127.0.0.1:{port}"
        argv = [sys.executable, "-m", "uvicorn", "open_webui.main:app", "--host", "127.0.0.1", "--port", port]
        self.start("openwebui", argv, environment, self.url + "/health", 420)

    def start_codebox(self, name, secret=SECRET, **settings):
        """Starts the server; returns the URL of its MCP endpoint."""
        binary, port = codebox_binary(), free_port()
        state = self.folder / f"{name}-state"
        state.mkdir()
        name_instance(state)
        # Nothing waits and nothing is layered: there is one chat at a time here, and tests/cases look at both.
        environment = {
            "PLUGIN_DIR": str(binary.parents[1] / "plugins"), "SANDBOX_LANGUAGES": "python", **os.environ, "JWT_SECRET": secret,
            "OWUI_BASE_URL": self.url, "HOST": "127.0.0.1", "PORT": str(port), "STATE_DIR": str(state),
            "SANDBOX_POOL_SIZE": "0", "SANDBOX_PACKAGE_LAYERS": "false", "SANDBOX_EXEC_TIMEOUT": "120",
            **settings}
        self.start(name, [binary, "serve"], environment, f"http://127.0.0.1:{port}/healthz", 180)
        return f"http://127.0.0.1:{port}/mcp"

    def doctor(self, secret, *options, stdin="", **settings):
        """The lines of `codebox doctor` with this secret."""
        binary = codebox_binary()
        environment = {"PLUGIN_DIR": str(binary.parents[1] / "plugins"), "SANDBOX_LANGUAGES": "python", **os.environ, "JWT_SECRET": secret,
                       "OWUI_BASE_URL": self.url, "PORT": "0", "STATE_DIR": str(self.folder / "doctor-state"), **settings}
        output = subprocess.run([str(binary), "doctor", "--json", *options], env=environment, cwd=self.folder, timeout=120,
                                capture_output=True, text=True, input=stdin).stdout
        return json.loads(output)["checks"]

    def end(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
