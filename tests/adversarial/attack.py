"""What the adversarial tests share: hostile programs and the statements about what came of them, and a watch over
what other callers notice meanwhile."""
import json
import pathlib
import re
import sys
import threading
import time

folder = pathlib.Path(__file__).parent
sys.path.insert(0, str(folder.parent / "cases"))
import box  # noqa: E402

# What a runtime with a kernel of its own (gVisor) grants, because the host's kernel is not what is asked.
OWN_KERNELS = re.compile(r"open /dev/(fuse|net/tun)|(look into|read) /proc/1/(fd|fdinfo|task/1/fd|environ|auxv|s?maps|task/1/environ)"
                         r"|fdinfo/0|write to the agent's descriptor \d+: (ENXIO|ENODEV)|lie into descriptor \d+.*: (ENXIO|ENODEV)"
                         r"|sched_set|setpriority|a better place|a higher priority|mlockall")
TOLERANCE = 5  # seconds that a loaded machine may add to a limit


def say(text):
    print(f"[number] {text}", flush=True)


def source(name) -> str:
    """A hostile program of the folder inside/, with what stands in front of each."""
    parts = [(folder / "inside" / part).read_text(encoding="utf-8") for part in ("prelude.py", name + ".py")]
    return "\n".join([*parts, "report()\n"])


class Case(box.Case):
    """Against one server of each runtime for the whole suite, whose limits are short."""
    limit = 8
    maxDiff = None
    runtime = ""   # the engine's runtime for every sandbox; empty: its default
    servers: dict = {}

    def new_server(self, **settings) -> box.Server:
        return box.Server(SANDBOX_RUNTIME=self.runtime or None, **settings)

    @property
    def server(self) -> box.Server:
        with box.Case.lock:
            if self.runtime not in Case.servers:
                limits = {"SANDBOX_EXEC_TIMEOUT": str(self.limit), "MAX_CONCURRENT_SANDBOXES": "30"}
                made = Case.servers[self.runtime] = self.new_server(**limits).__enter__()
                made.wait_ready()
                made.call(code="print(1)")
        return Case.servers[self.runtime]

    def assert_all_refused(self, name, **arguments):
        """Runs a program of inside/ and fails with each attempt that was not refused."""
        self.assert_reported(name, self.run_python(source(name), **arguments))

    def assert_reported(self, name, result):
        self.assert_ran(result)
        lines = [line for line in result.text.splitlines() if line.startswith("REPORT ")]
        self.assertTrue(lines, result.text[-2000:])
        count, bad = json.loads(lines[0].removeprefix("REPORT "))
        if self.runtime == "runsc":
            bad = [one for one in bad if not OWN_KERNELS.match(f"{one[0]}: {one[2]}")]
        say(f"{name} {self.runtime}: {count} attempts, {len(bad)} not refused, {result.took:.1f} s")
        self.assertGreater(count, 10, result.text)
        self.assertEqual([], [f"{what}: {outcome}" for what, _, outcome in bad])

    def assert_alive(self):
        """The server still serves, after whatever came before."""
        self.assertIn("still here", self.run_python('print("still here")', user="somebody-else").text)


class Neighbours:
    """Three other users, each of whom calls print(1), thinks, and calls again for as long as it is entered, at least twice;
    `times` says how long each call took."""
    USERS, LEAST, THINKING = 3, 2, 0.3

    def __init__(self, a_server):
        self.server = a_server
        self.times, self.failures = [], []
        self.ended = threading.Event()
        self.workers = [threading.Thread(target=self.work, args=(f"neighbour-{n}",)) for n in range(self.USERS)]

    def work(self, user):
        calls = 0
        while not self.ended.is_set() or calls < self.LEAST:
            calls += 1
            try:
                result = self.server.call(code="print(1)", user=user)
                good = not result.is_error and result.text.startswith("1\n")
                (self.times.append(result.took) if good else self.failures.append(result.text[-500:]))
            except Exception as error:
                self.failures.append(repr(error))
            self.ended.wait(self.THINKING)

    def __enter__(self):
        for worker in self.workers:
            worker.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for worker in self.workers:
            worker.join()


def timed(action):
    started = time.monotonic()
    value = action()
    return value, time.monotonic() - started
