"""Plugin folders for tests, and `codebox plugin check` on them."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import box

ROOT = pathlib.Path(__file__).resolve().parents[2]


def built(name: str) -> pathlib.Path:
    """A test plugin as the build made it."""
    return pathlib.Path(box.codebox).resolve().parent.parent / "test-plugins" / f"{name}.so"


@contextlib.contextmanager
def temporary():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="codebox-plugins-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def put(source: pathlib.Path, target: pathlib.Path):
    """As docs/plugins.md advises: a hidden name first, then renamed."""
    hidden = target.with_name("." + target.name)
    shutil.copyfile(source, hidden)
    hidden.chmod(0o644)
    hidden.rename(target)


def codebox(*words, **settings) -> subprocess.CompletedProcess:
    environment = {name: os.environ[name] for name in ("PATH", "CONTAINER_HOST", "CONTAINER_BACKEND", "ASAN_OPTIONS",
                   "TSAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ}
    with temporary() as state:
        environment.update({"STATE_DIR": str(state), "JWT_SECRET": box.SECRET}, **settings)
        return subprocess.run([box.codebox, *map(str, words)], env=environment, cwd=state, capture_output=True, text=True,
                              timeout=300)


def check(file, *options, **settings):
    """Exit status and the answer of `codebox plugin check FILE --json`."""
    done = codebox("plugin", "check", file, "--json", *options, **settings)
    return done.returncode, json.loads(done.stdout) if done.stdout.startswith("{") else done.stderr
