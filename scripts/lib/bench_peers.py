"""Brings together who takes part in scripts/bench, each with what it needs."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys

import box
from bench_others import LLM_SANDBOX, OPEN_TERMINAL, LlmSandbox, OpenTerminal, peers_image, remove_remains
from bench_ours import Ours
from bench_plain import Bare, Command, DockerRun

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def find_indexes():
    """Sandboxes reach this machine's package index as scripts/run lets them: by its certificates, and on a private network."""
    script = '. scripts/lib/common.sh; . scripts/lib/engine.sh; echo "$(ca_bundle)"; private_index_hosts'
    found = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    os.environ.setdefault("SANDBOX_CA_BUNDLE", found[0])
    os.environ.setdefault("SANDBOX_ALLOWED_HOSTS", found[1])


class Field:
    """All that can run here; the others are named in `skipped` with the reason."""

    def __init__(self, folder, image, needed, skipped):
        """`needed` says of a name whether it takes part."""
        self.folder, self.image, self.needed, self.skipped = folder, image, needed, skipped
        self.contestants, self.stack = {}, contextlib.ExitStack()

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.files = self.image_files()
        find_indexes()
        self.add("docker run", lambda: DockerRun(self.image, self.folder / "docker-run"))
        self.add("codebox cold", lambda: Ours(self.server(SANDBOX_POOL_SIZE="0")))
        self.add("python3", lambda: Bare(self.files))
        # An environment of its own is what makes a language's programs start in a fresh interpreter.
        self.add("codebox warm", lambda: Ours(self.server(SANDBOX_ENV_PYTHON="BENCH=1"), 2))
        self.add("codebox preloaded", lambda: Ours(self.server(), 2, True))
        self.add("codebox layered, cold", lambda: self.layered(0, "humanize"))
        self.add("codebox layered, warm", lambda: self.layered(1, "iniconfig"))
        self.stack.callback(remove_remains)
        self.add("bwrap", self.bwrap)
        self.add("llm-sandbox", lambda: self.llm_sandbox("bare"))
        self.add("llm-sandbox pool", lambda: self.llm_sandbox("pool"))
        self.add("open-terminal", lambda: self.closing(
            OpenTerminal(self.venv("open-terminal", OPEN_TERMINAL) / "open-terminal", self.folder / "open-terminal")))
        return self

    def __exit__(self, *_):
        self.stack.close()

    def add(self, name, make):
        if not self.needed(name):
            return
        try:
            self.contestants[name] = make()
        except Exception as error:
            self.skipped[name] = " ".join(f"{type(error).__name__}: {error}".split())[:300]

    def some(self, *names):
        return {name: self.contestants[name] for name in names if name in self.contestants}

    def layers(self):
        """A server of ours that has no layer yet."""
        return Ours(self.server_with_layers(0))

    def closing(self, contestant):
        self.stack.callback(contestant.close)
        return contestant

    def layered(self, pool, package):
        """Every call of it names a package, of which no other server makes a layer, and which is there in time."""
        server = self.server_with_layers(pool)
        ours = Ours(server, 2 * pool, libraries=[package])
        ours.call("print(1)")
        box.wait_until(lambda: f"holds {package}" in server.log(), 180, "the layer is made")
        ours.call("print(1)")
        return ours

    def server_with_layers(self, pool):
        server = self.server(SANDBOX_PACKAGE_LAYERS="true", SANDBOX_POOL_SIZE=str(pool), LOG_LEVEL="debug")
        prune = {"PATH": os.environ["PATH"], "STATE_DIR": str(server.state / "state"), "JWT_SECRET": box.SECRET}
        self.stack.callback(subprocess.run, [box.codebox, "layers", "prune"], env=prune, capture_output=True, check=False)
        return server

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

    def llm_sandbox(self, how):
        return self.closing(LlmSandbox(self.venv("llm-sandbox", LLM_SANDBOX) / "python", peers_image(self.image), how))

    def venv(self, name, requirement):
        folder = self.folder / name
        if not (folder / "done").exists():
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            subprocess.run([folder / "bin/pip", "install", "--quiet", requirement], check=True, timeout=600)
            (folder / "done").touch()
        return folder / "bin"
