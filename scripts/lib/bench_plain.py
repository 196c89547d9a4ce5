"""Contestants of scripts/bench that nobody has to install: a plain Python, and containers that Docker runs."""
import os
import shutil
import subprocess
import time

TRUSTED = "/etc/ssl/certs/ca-certificates.crt"
PIP = ["python3", "-m", "pip", "install", "--quiet", "--no-cache-dir", "--disable-pip-version-check",
       "--break-system-packages"]


class CannotDoThat(Exception):
    """What a contestant has no way for, or what would say nothing about it."""


class Contestant:
    """Of each work's own form, the seconds that it takes; or CannotDoThat."""
    has_libraries = True

    def settle(self):
        """Waits until nothing that one call has set off goes on."""

    def install(self, name):
        """A program that imports a package which has to be installed."""
        raise CannotDoThat("it has no way to install a package for a call")

    def caller(self):
        """What one of several callers at once uses for print(1)."""
        raise CannotDoThat("it takes one call at a time")

    def copy(self, given, back):
        """A program that copies the file `given`, which is put where it can read it; the copy lies in `back` in the end."""
        raise CannotDoThat("it works on the machine's own files")


COPY = "import shutil\nshutil.copy({!r}, {!r})"


class Bare(Contestant):
    """`python3 FILE` in the image's own files, without any isolation: the same interpreter and libraries."""

    def __init__(self, files):
        self.files = files

    def run(self, code):
        self.write(code)
        start = time.perf_counter()
        self.spawn()
        return time.perf_counter() - start

    def write(self, code):
        (self.files / "sandbox/main.py").write_text(code)
        shutil.rmtree(self.files / "sandbox/output", ignore_errors=True)
        (self.files / "sandbox/output").mkdir()

    def caller(self):
        self.write("print(1)")
        return self.spawn

    def install(self, name):
        target = self.files / "sandbox/packages"
        shutil.rmtree(target, ignore_errors=True)
        self.write(f"import sys\nsys.path.insert(0, '/sandbox/packages')\nimport {name}")
        start = time.perf_counter()
        subprocess.run([*PIP, "--target", target, name], check=True, capture_output=True)
        self.spawn()
        return time.perf_counter() - start

    def copy(self, given, back):
        self.write(COPY.format("in.bin", "output/out.bin"))
        start = time.perf_counter()
        shutil.copy(given, self.files / "sandbox/in.bin")
        self.spawn()
        shutil.copy(self.files / "sandbox/output/out.bin", back)
        return time.perf_counter() - start

    def spawn(self):
        come, go = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                null = os.open(os.devnull, os.O_RDWR)
                for at, fd in enumerate((null, go, null)):
                    os.dup2(fd, at)
                os.chroot(self.files)
                os.chdir("/sandbox")
                os.execve("/usr/bin/python3", ["python3", "/sandbox/main.py"],
                          {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "MPLBACKEND": "Agg"})
            finally:
                os._exit(127)
        os.close(go)
        while os.read(come, 1 << 20):  # a caller wants the output, of whomever
            continue
        os.close(come)
        if os.waitpid(pid, 0)[1]:
            raise RuntimeError("the program failed")


class Command(Bare):
    """A program that runs a program."""

    def __init__(self, files, argv):
        super().__init__(files)
        self.argv = argv

    def spawn(self):
        subprocess.run(self.argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)


class DockerRun(Contestant):
    """`docker run --rm` with the limits that our sandboxes have."""

    def __init__(self, image, folder):
        self.folder = folder
        self.start = ["docker", "run", "--rm", "-i"]
        self.argv = ["--read-only", "--cap-drop", "ALL",
                     "--security-opt", "no-new-privileges", "--memory", "820m", "--memory-swap", "820m", "--cpus", "1",
                     "--pids-limit", "512", "--log-driver", "none", "--tmpfs", "/sandbox:exec,size=256m",
                     "--tmpfs", "/tmp:exec,size=256m", "-e", "HOME=/tmp", "-w", "/sandbox", "--entrypoint", "python3",
                     image, "-c"]

    def run(self, code, more=("--network", "none")):
        start = time.perf_counter()
        subprocess.run([*self.start, *more, *self.argv, "import os\nos.makedirs('output')\n" + code],
                       stdin=subprocess.DEVNULL, capture_output=True, check=True)
        return time.perf_counter() - start

    def caller(self):
        return lambda: self.run("print(1)")

    def install(self, name):
        pip = ["python3", *PIP[1:], "--target", "/tmp/packages", name]
        return self.run(f"import subprocess, sys\nsubprocess.run({pip}, check=True)\n"
                        f"sys.path.insert(0, '/tmp/packages')\nimport {name}",
                        ["--network", "bridge", "-v", f"{TRUSTED}:{TRUSTED}:ro", "-e", f"PIP_CERT={TRUSTED}"])

    def copy(self, given, back):
        self.folder.mkdir(exist_ok=True)
        start = time.perf_counter()
        shutil.copy(given, self.folder / "in.bin")
        self.run(COPY.format("/data/in.bin", "/data/out.bin"), ["--network", "none", "-v", f"{self.folder}:/data",
                                                                "--cap-add", "DAC_OVERRIDE"])
        shutil.copy(self.folder / "out.bin", back)
        return time.perf_counter() - start
