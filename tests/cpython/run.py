"""python3 tests/cpython/run.py --codebox PATH --image IMAGE [--all] [-k NAME]: CPython's own tests as programs of calls,
once in fresh interpreters and once in preloaded ones. Each test must come out alike."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cases"))
import again
import box

INSIDE = (pathlib.Path(__file__).parent / "inside.py").read_text(encoding="utf-8")
IMAGE = "codebox/sandbox-python:cpython"
DOCKERFILE = """FROM {}
RUN apt-get update -q && apt-get install -qy --no-install-recommends \
    "libpython$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')-testsuite" && rm -rf /var/lib/apt/lists/*
"""
# Each is a call of its own. Those that take too long for every run wait for --all.
QUICK = ["runpy", "cmd_line_script", "traceback", "atexit", "pickle", "signal", "warnings", "sys", "exceptions",
         "linecache", "contextlib", "multiprocessing_main_handling", "asyncio.test_tasks", "asyncio.test_runners",
         "asyncio.test_futures", "asyncio.test_locks", "multiprocessing_forkserver.test_threads", "multiprocessing_fork.test_processes"]
LONG = ["asyncio", "multiprocessing_fork", "multiprocessing_spawn", "multiprocessing_forkserver", "threading", "gc",
        "weakref", "random", "logging", "copy", "dataclasses", "io", "subprocess", "import", "importlib", "inspect",
        "cmd_line", "faulthandler", "concurrent_futures", "os", "posix", "generators", "coroutines", "typing", "decimal",
        "json", "re", "datetime", "csv", "zipfile", "tempfile", "sqlite3", "statistics", "enum"]
SECONDS = 300


class Both:
    """A server whose Python waits for calls, and one whose Python starts with the call."""

    def __init__(self, image):
        box.image = image
        settings = {"SANDBOX_MAX_MEMORY": "1500MB", "SANDBOX_EXEC_TIMEOUT": str(SECONDS), "SANDBOX_MAX_PIDS": "1000"}
        self.plain = box.Server(SANDBOX_POOL_SIZE="0", **settings).__enter__()
        self.warm = box.Server(SANDBOX_POOL_SIZE="1", **settings).__enter__()
        self.plain.wait_ready()
        self.warm.wait_ready()

    def stop(self):
        self.warm.stop()
        self.plain.stop()

    @staticmethod
    def once(server, module, waited) -> dict:
        given = json.dumps([f"test.test_{module}", waited])
        result = server.call(code=INSIDE, stdin=given, output_files=["/sandbox/output/outcomes.json"])
        link = next((link for name, link in result.links.items() if "outcomes.json" in name), None)
        if link is None:
            raise AssertionError(f"test_{module} did not come to its end: {result.text[-3000:]}")
        return json.loads(server.fetch(link))

    def waited(self, module) -> dict:
        """What an interpreter gave that had been waiting; one that comes too early gets a fresh one."""
        end = time.monotonic() + 2 * SECONDS
        while True:
            found = self.once(self.warm, module, True)
            if found["waited"]:
                return found["outcomes"]
            if time.monotonic() > end:
                raise AssertionError("no call got an interpreter that had been waiting")
            time.sleep(1)

    def fresh(self, module) -> dict:
        found = self.once(self.plain, module, False)
        if found["waited"]:
            raise AssertionError("an interpreter had been waiting on a server without any")
        return found["outcomes"]

    def compare(self, module) -> tuple:
        """How many tests there were, and those that came out differently each time."""
        different, seconds = None, time.monotonic()
        for _ in range(3):
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                fresh, waited = (pool.submit(ask, module) for ask in (self.fresh, self.waited))
                fresh, waited = fresh.result(), waited.result()
            now = {name: (fresh.get(name), waited.get(name)) for name in {*fresh, *waited}
                   if (fresh.get(name) or "")[:6] != (waited.get(name) or "")[:6]}
            different = now if different is None else {name: now[name] for name in now if name in different}
            if not different:
                break
        good = sum(outcome == "passed" for outcome in waited.values())
        print(f"test_{module}: {len(waited)} tests, {good} passed, {len(different)} differ, "
              f"{time.monotonic() - seconds:.1f} s", flush=True)
        return waited, different


def test_image(image) -> str:
    """The image with CPython's own tests, made where it is missing."""
    label = subprocess.run(["docker", "image", "inspect", "-f", "{{.Id}}", image], capture_output=True, text=True, check=True).stdout.strip()
    known = subprocess.run(["docker", "image", "inspect", "-f", '{{index .Config.Labels "codebox.base"}}', IMAGE], capture_output=True, text=True)
    if known.stdout.strip() != label:
        made = subprocess.run(["docker", "build", "-q", "--network", "host", "--label", f"codebox.base={label}", "-t", IMAGE, "-"],
                              input=DOCKERFILE.format(image), capture_output=True, text=True)
        if made.returncode != 0:
            raise unittest.SkipTest("Debian's package with CPython's tests cannot be installed: " + made.stderr[-300:])
    return IMAGE


class CPython(unittest.TestCase):
    """One test a module, in the order of the list."""
    both = None

    @classmethod
    def setUpClass(cls):
        cls.both = Both(test_image(options.image))

    @classmethod
    def tearDownClass(cls):
        if cls.both is not None:
            cls.both.stop()

    def alike(self, module):
        outcomes, different = self.both.compare(module)
        self.assertGreater(sum(outcome == "passed" for outcome in outcomes.values()), 0)
        self.assertEqual(different, {})


def tests() -> unittest.TestSuite:
    suite = unittest.TestSuite()
    for module in QUICK + (LONG if options.all else []):
        name = "test_" + module.replace(".", "_")
        setattr(CPython, name, lambda self, module=module: self.alike(module))
        if not options.keywords or any(word in name for word in options.keywords):
            suite.addTest(CPython(name))
    return suite


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--codebox", required=True)
    parser.add_argument("--image", default="")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("-k", dest="keywords", action="append", default=[])
    options = parser.parse_args()
    box.codebox = os.path.abspath(options.codebox)
    if not options.image:
        print("SKIPPED: no engine or no Python image is there\n0 passed, 0 failed, 1 skipped")
        sys.exit(0)
    sys.exit(again.run_counted(tests, os.fdopen(1, "w", buffering=1, closefd=False)))
