"""The contestants of scripts/bench that others have made. They are installed from PyPI."""
import contextlib
import http.client
import json
import os
import subprocess
import time

import box
from bench_plain import COPY, PIP, Contestant

LLM_SANDBOX = "llm-sandbox[docker]==0.3.46"
OPEN_TERMINAL = "open-terminal==0.14.5"
LLM_DRIVER = """
import json, sys, time
from llm_sandbox import SandboxSession
from llm_sandbox.pool import PoolConfig, create_pool_manager
image, pooled = sys.argv[1], sys.argv[2] == "pool"
trusted = "/etc/ssl/certs/ca-certificates.crt"
options = {"lang": "python", "image": image, "keep_template": True, "skip_environment_setup": True,
           "runtime_configs": {"network_mode": sys.argv[3], "init": True, "environment": {"PIP_CERT": trusted,
                               "PIP_BREAK_SYSTEM_PACKAGES": "1"}, "volumes": {trusted: {"bind": trusted, "mode": "ro"}}}}
out = sys.stdout
sys.stdout = sys.stderr
pool = None
if pooled:
    pool = create_pool_manager(config=PoolConfig(max_pool_size=2, min_pool_size=1), **options)
    pool_session = __import__("llm_sandbox.pool.session", fromlist=["x"]).PooledSandboxSession
print("ready", file=out, flush=True)
for line in sys.stdin:
    call = json.loads(line)
    start = time.perf_counter()
    with (pool_session(pool) if pooled else SandboxSession(**options)) as session:
        if "give" in call:
            session.copy_to_runtime(*call["give"])
        result = session.run(call["code"], libraries=call.get("libraries"))
        if "take" in call:
            session.copy_from_runtime(*call["take"])
        took = time.perf_counter() - start  # without its end, which takes it some time more
    print(took if result.exit_code == 0 else f"exit code {result.exit_code}: {result.stderr}".replace("\\n", " "), file=out, flush=True)
if pool is not None:
    pool.close()
"""


def finish(process):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class LlmSandbox(Contestant):
    def __init__(self, python, image, how, network="none"):
        self.renew = lambda: LlmSandbox(python, image, how, "bridge")
        self.process = subprocess.Popen([python, "-c", LLM_DRIVER, image, how, network], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if self.process.stdout.readline().strip() != "ready":
            raise RuntimeError("it did not start")

    def install(self, name):
        with contextlib.closing(self.renew()) as with_network:
            return with_network.run(f"import {name}", libraries=[name])

    def copy(self, given, back):
        return self.run(COPY.format("/sandbox/in.bin", "/sandbox/out.bin"), give=[str(given), "/sandbox/in.bin"],
                        take=["/sandbox/out.bin", str(back)])

    def run(self, code, **more):
        call = {"code": "import os\nos.makedirs('output', exist_ok=True)\n" + code, **more}
        self.process.stdin.write(json.dumps(call) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline().strip()
        try:
            return float(line)
        except ValueError:
            raise RuntimeError(line or "its session failed") from None

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(60)
        finally:
            finish(self.process)


class OpenTerminal(Contestant):
    """It has no isolation between calls: one shell command in a server that all share."""
    has_libraries = False

    def __init__(self, program, folder):
        folder.mkdir(exist_ok=True)
        self.folder, self.port = folder, box.free_port()
        self.process = subprocess.Popen([program, "run", "--host", "127.0.0.1", "--port", str(self.port), "--api-key", "key"],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        cwd=folder, env={**os.environ, "HOME": str(folder)})
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        box.wait_until(self.answers, 60, "open-terminal answers")

    def answers(self):
        try:
            self.connection.request("GET", "/health")
            self.connection.getresponse().read()
            return True
        except OSError:
            self.connection.close()
            return False

    def run(self, code):
        (self.folder / "main.py").write_text(code)
        return self.execute("python3 main.py", self.connection)

    def caller(self):
        (self.folder / "main.py").write_text("print(1)")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        return lambda: self.execute("python3 main.py", connection)

    def install(self, name):
        pip = " ".join([*PIP, "--target", str(self.folder / "packages"), name])
        return self.execute(f"{pip} && PYTHONPATH=packages python3 -c 'import {name}'", self.connection)

    def execute(self, command, connection):
        connection.close()
        connection.connect()
        body = json.dumps({"command": command, "cwd": str(self.folder)})
        start = time.perf_counter()
        connection.request("POST", "/execute?wait=60", body,
                           {"Authorization": "Bearer key", "Content-Type": "application/json"})
        answer = json.loads(connection.getresponse().read())
        took = time.perf_counter() - start
        if answer.get("exit_code") != 0:
            raise RuntimeError(str(answer)[:200])
        return took

    def close(self):
        finish(self.process)
