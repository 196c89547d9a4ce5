"""The contestants of scripts/bench that others have made. They are installed from PyPI."""
import contextlib
import http.client
import json
import os
import subprocess
import time

import box
from bench_plain import COPY, PIP, TRUSTED, CannotDoThat, Contestant

LLM_SANDBOX = "llm-sandbox[docker]==0.3.46"
OPEN_TERMINAL = "open-terminal==0.14.5"
LABEL = "codebox.bench"
PEERS_IMAGE = "codebox/bench-peers:latest"
LLM_DRIVER = """
import json, sys, time
from llm_sandbox import SandboxSession
from llm_sandbox.pool import PoolConfig, create_pool_manager
image, how, network, label = sys.argv[1:]
trusted = "/etc/ssl/certs/ca-certificates.crt"
options = {"lang": "python", "image": image, "keep_template": True, "skip_environment_setup": how == "bare",
           "runtime_configs": {"network_mode": network, "init": True, "labels": {label: ""}, "environment": {
                               "PIP_CERT": trusted, "PIP_BREAK_SYSTEM_PACKAGES": "1"},
                               "volumes": {trusted: {"bind": trusted, "mode": "ro"}}}}
out = sys.stdout
sys.stdout = sys.stderr
pool = None
if how == "pool":
    pool = create_pool_manager(config=PoolConfig(max_pool_size=1, min_pool_size=1), **options)
    pool_session = __import__("llm_sandbox.pool.session", fromlist=["x"]).PooledSandboxSession


def call(given):
    start = time.perf_counter()
    with (pool_session(pool) if pool else SandboxSession(**options)) as session:
        if "give" in given:
            session.copy_to_runtime(*given["give"])
        result = session.run(given["code"], libraries=given.get("libraries"))
        if "take" in given:
            session.copy_from_runtime(*given["take"])
        took = time.perf_counter() - start  # without its end, which takes it some time more
    return took if result.exit_code == 0 else f"exit code {result.exit_code}: {result.stdout} {result.stderr}"


print("ready", file=out, flush=True)
for line in sys.stdin:
    try:
        answer = call(json.loads(line))
    except Exception as error:
        answer = f"{type(error).__name__}: {error}"
    print(str(answer).replace("\\n", " "), file=out, flush=True)
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
    """A process that opens a session for each call (`bare`), or takes it from a pool whose containers live on (`pool`).

    Before its first call it makes an environment with pip of its own in each container, which needs a network. `bare` is
    its fastest way, without that; where packages are to be installed it cannot be left out (`whole`).
    """

    def __init__(self, python, image, how):
        self.how = how
        self.renew = lambda how=how: LlmSandbox(python, image, how)
        self.callers = []
        self.process = subprocess.Popen([python, "-c", LLM_DRIVER, image, how, "none" if how == "bare" else "bridge", LABEL],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if self.process.stdout.readline().strip() != "ready":
            finish(self.process)
            raise RuntimeError("it did not start")

    def install(self, name):
        if self.how == "pool":
            raise CannotDoThat("its pool installs packages only when a container is made")
        with contextlib.closing(self.renew("whole")) as whole:
            return whole.run(f"import {name}", libraries=[name])

    def caller(self):
        one = self.renew()
        self.callers.append(one)
        if self.how == "pool":
            one.run("print(1)")  # waits until its container is there
        return lambda: one.run("print(1)")

    def settle(self):
        while self.callers:
            self.callers.pop().close()

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
        self.settle()
        self.process.stdin.close()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            finish(self.process)


def peers_image(image):
    """The image as llm-sandbox needs it: Debian keeps the venv module in a package of its own."""
    run = ["docker", "run", "--label", LABEL, "-v", f"{TRUSTED}:{TRUSTED}:ro"]
    if subprocess.run([*run, "--rm", image, "sh", "-c", "python -m venv /tmp/try"], capture_output=True, check=False).returncode == 0:
        return image
    install = "apt-get update && apt-get install -y --no-install-recommends python3-venv"
    subprocess.run([*run, "--name", "codebox-bench-image", image, "sh", "-c", install], check=True, capture_output=True, timeout=300)
    subprocess.run(["docker", "commit", "--change", 'CMD ["python3"]', "codebox-bench-image", PEERS_IMAGE], check=True, capture_output=True)
    subprocess.run(["docker", "rm", "-v", "codebox-bench-image"], check=True, capture_output=True)
    return PEERS_IMAGE


def remove_remains():
    """What the peers have left on the engine, also when they failed."""
    left = subprocess.run(["docker", "ps", "-aq", "--filter", f"label={LABEL}"], capture_output=True, text=True, check=False)
    if ids := left.stdout.split():
        subprocess.run(["docker", "rm", "-fv", *ids], capture_output=True, check=False)
    subprocess.run(["docker", "rmi", PEERS_IMAGE], capture_output=True, check=False)


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
