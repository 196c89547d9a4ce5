"""The contestants of scripts/bench. Each runs a Python program and says how many seconds the whole of it took."""
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import box

LLM_SANDBOX = "llm-sandbox[docker]==0.3.46"
OPEN_TERMINAL = "open-terminal==0.14.5"
LLM_DRIVER = """
import json, sys, time
from llm_sandbox import SandboxSession
from llm_sandbox.pool import PoolConfig, create_pool_manager
image, pooled = sys.argv[1], sys.argv[2] == "pool"
options = {"lang": "python", "image": image, "keep_template": True, "skip_environment_setup": True,
           "runtime_configs": {"network_mode": "none", "init": True}}
out = sys.stdout
sys.stdout = sys.stderr
pool = None
if pooled:
    pool = create_pool_manager(config=PoolConfig(max_pool_size=2, min_pool_size=1), **options)
    pool_session = __import__("llm_sandbox.pool.session", fromlist=["x"]).PooledSandboxSession
print("ready", file=out, flush=True)
for line in sys.stdin:
    code = json.loads(line)
    start = time.perf_counter()
    with (pool_session(pool) if pooled else SandboxSession(**options)) as session:
        result = session.run(code)
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


class Bare:
    """`python3 FILE` in the image's own files, without any isolation: the same interpreter and libraries."""
    has_libraries = True

    def __init__(self, files, prefix=()):
        self.files, self.prefix = files, list(prefix)

    def settle(self):
        """Nothing of it goes on after a call."""

    def run(self, code):
        (self.files / "sandbox/main.py").write_text(code)
        shutil.rmtree(self.files / "sandbox/output", ignore_errors=True)
        (self.files / "sandbox/output").mkdir()
        start = time.perf_counter()
        self.spawn()
        return time.perf_counter() - start

    def spawn(self):
        pid = os.fork()
        if pid == 0:
            try:
                null = os.open(os.devnull, os.O_RDWR)
                for fd in (0, 1, 2):
                    os.dup2(null, fd)
                os.chroot(self.files)
                os.chdir("/sandbox")
                os.execve("/usr/bin/python3", ["python3", "/sandbox/main.py"],
                          {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "MPLBACKEND": "Agg"})
            finally:
                os._exit(127)
        if os.waitpid(pid, 0)[1]:
            raise RuntimeError("the program failed")


class Command(Bare):
    """A program that runs a program."""

    def __init__(self, files, argv):
        super().__init__(files)
        self.argv = argv

    def spawn(self):
        subprocess.run(self.argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)


class DockerRun(Bare):
    """`docker run --rm` with the limits that our sandboxes have."""
    has_libraries = True

    def __init__(self, image):
        super().__init__(None)
        self.argv = ["docker", "run", "--rm", "-i", "--network", "none", "--read-only", "--cap-drop", "ALL",
                     "--security-opt", "no-new-privileges", "--memory", "820m", "--memory-swap", "820m", "--cpus", "1",
                     "--pids-limit", "512", "--log-driver", "none", "--tmpfs", "/sandbox:exec,size=256m",
                     "--tmpfs", "/tmp:exec,size=256m", "-e", "HOME=/tmp", "-w", "/sandbox", "--entrypoint", "python3",
                     image, "-c"]

    def run(self, code):
        start = time.perf_counter()
        subprocess.run([*self.argv, "import os\nos.makedirs('output')\n" + code], stdin=subprocess.DEVNULL,
                       capture_output=True, check=True)
        return time.perf_counter() - start


class Ours:
    """A call through HTTP with a token, on an open connection. Waits first until what shall wait does."""
    has_libraries = True

    def __init__(self, server, waiting=0, preloaded=False):
        self.server, self.waiting, self.preloaded = server, waiting, preloaded
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=180)
        self.bearer = box.token()

    def settle(self):
        if self.waiting:
            box.wait_until(self.settled, 120, "the pool is full")

    def settled(self):
        ids = self.server.containers()
        if len(ids) < self.waiting:
            return False
        loaded = waiting_processes(ids)
        if not self.preloaded:
            return True
        before = {pid: spent(pid) for pid in loaded}
        time.sleep(0.1)
        return len(loaded) >= self.waiting and all(spent(pid) == ticks for pid, ticks in before.items())

    def run(self, code):
        self.settle()
        return self.call(code)[0]

    def call(self, code, connection=None, user=None, **arguments):
        connection = connection or self.connection
        body = json.dumps(box.Server.message("tools/call", {"name": "run_python", "arguments": {"code": code, **arguments}}))
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                   "Authorization": "Bearer " + (box.token(user) if user else self.bearer),
                   **box.Server.routing("tools/call", "run_python")}
        if connection is self.connection:  # the server closes those that were idle for long
            connection.close()
            connection.connect()
        start = time.perf_counter()
        connection.request("POST", "/mcp", body, headers)
        answer = connection.getresponse().read()
        took = time.perf_counter() - start
        result = json.loads(answer)["result"]
        text = "\n".join(block.get("text", "") for block in result["content"])
        if result.get("isError") or "Traceback" in text:
            raise RuntimeError(text)
        return took, text


def waiting_processes(containers):
    """Interpreters that wait in these containers, as this machine sees them."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            command = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes().split(b"\0")
            if command[-2:-1] == [b"wait"] and b"/tmp/.support/__main__.py" in command:
                group = pathlib.Path(f"/proc/{entry}/cgroup").read_text()
                if any(name in group for name in containers):
                    found.append(entry)
        except OSError:
            continue
    return found


def spent(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    except OSError:
        return None


class LlmSandbox(Bare):
    has_libraries = True

    def __init__(self, python, image, how):
        super().__init__(None)
        self.process = subprocess.Popen([python, "-c", LLM_DRIVER, image, how], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if self.process.stdout.readline().strip() != "ready":
            raise RuntimeError("it did not start")

    def run(self, code):
        self.process.stdin.write(json.dumps("import os\nos.makedirs('output', exist_ok=True)\n" + code) + "\n")
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


class OpenTerminal(Bare):
    """It has no isolation between calls: one shell command in a server that all share."""
    has_libraries = False

    def __init__(self, program, folder):
        super().__init__(None)
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
        self.connection.close()
        self.connection.connect()
        body = json.dumps({"command": "python3 main.py", "cwd": str(self.folder)})
        start = time.perf_counter()
        self.connection.request("POST", "/execute?wait=60", body,
                                {"Authorization": "Bearer key", "Content-Type": "application/json"})
        answer = json.loads(self.connection.getresponse().read())
        took = time.perf_counter() - start
        if answer.get("exit_code") != 0:
            raise RuntimeError(str(answer)[:200])
        return took

    def close(self):
        finish(self.process)


class Field:
    """All that can run here; the others are named in `skipped` with the reason."""

    def __init__(self, folder, image, mode, skipped):
        self.folder, self.image, self.mode, self.skipped = folder, image, mode, skipped
        self.contestants, self.stack = {}, contextlib.ExitStack()

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.files = self.image_files()
        self.add("docker run", lambda: DockerRun(self.image))
        self.add("codebox cold", lambda: Ours(self.server(SANDBOX_POOL_SIZE="0")))
        if self.mode == "cold":
            return self
        self.add("python3", lambda: Bare(self.files))
        # An environment of its own is what makes a language's programs start in a fresh interpreter.
        self.add("codebox warm", lambda: Ours(self.server(SANDBOX_ENV_PYTHON="BENCH=1"), 2))
        self.add("codebox preloaded", lambda: Ours(self.server(), 2, True))
        if self.mode == "all":
            self.add("bwrap", self.bwrap)
            for how in ("fresh", "pool"):
                self.add("llm-sandbox" + (" pool" if how == "pool" else ""), lambda how=how: self.closing(
                    LlmSandbox(self.venv("llm-sandbox", LLM_SANDBOX) / "python", self.image, how)))
            self.add("open-terminal", lambda: self.closing(
                OpenTerminal(self.venv("open-terminal", OPEN_TERMINAL) / "open-terminal", self.folder / "open-terminal")))
        return self

    def __exit__(self, *_):
        self.stack.close()

    def add(self, name, make):
        try:
            self.contestants[name] = make()
        except Exception as error:
            self.skipped[name] = " ".join(f"{type(error).__name__}: {error}".split())[:300]

    def closing(self, contestant):
        self.stack.callback(contestant.close)
        return contestant

    def server(self, **settings):
        server = self.stack.enter_context(box.Server(**{"SANDBOX_POOL_SIZE": "2", "MAX_BODY": "128MB", **settings}))
        server.wait_ready()
        return server

    def image_files(self):
        """The image's files, for chroot; made anew when the image is another one."""
        name = subprocess.run(["docker", "image", "inspect", "-f", "{{.Id}}", self.image], check=True,
                              capture_output=True, text=True).stdout.strip().split(":")[-1][:16]
        files = self.folder / f"files-{name}"
        if not files.exists():
            making = self.folder / "files-making"
            shutil.rmtree(making, ignore_errors=True)
            making.mkdir()
            container = subprocess.run(["docker", "create", self.image, "true"], check=True, capture_output=True,
                                       text=True).stdout.strip()
            try:
                with subprocess.Popen(["docker", "export", container], stdout=subprocess.PIPE) as export:
                    subprocess.run(["tar", "x", "-C", making], stdin=export.stdout, check=True)
            finally:
                subprocess.run(["docker", "rm", container], check=True, capture_output=True)
            (making / "sandbox").mkdir(exist_ok=True)
            making.rename(files)
        return files

    def bwrap(self):
        program = shutil.which("bwrap")
        if program is None:
            raise RuntimeError("bwrap is not installed")
        one = Command(self.files, [program, "--bind", self.files, "/", "--proc", "/proc", "--dev", "/dev", "--unshare-all",
                                   "--die-with-parent", "--chdir", "/sandbox", "/usr/bin/python3", "/sandbox/main.py"])
        one.run("print(1)")
        return one

    def venv(self, name, requirement):
        folder = self.folder / name
        if not (folder / "done").exists():
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            subprocess.run([folder / "bin/pip", "install", "--quiet", requirement], check=True, timeout=600)
            (folder / "done").touch()
        return folder / "bin"
