"""What waiting, preloading and layers are for stays worth it. Only ratios of medians, each of calls that took turns in one
run, with much room: scripts/bench measures what they are."""
import json
import statistics
import subprocess
import sys
import time

import box

ROUNDS = 5
TRIES = 2
PRINT, LIBRARY = "print(1)", "import humanize\nprint(1)"


def timed(work) -> float:
    started = time.monotonic()
    work()
    return time.monotonic() - started


class Speed(box.Case):
    def setUp(self):
        super().setUp()
        if box.engine != "docker":
            self.skipTest("measured on Docker")

    def serve(self, **settings) -> box.Server:
        server = self.enterContext(box.Server(LOG_LEVEL="debug", **settings))
        server.wait_ready()
        return server

    def call(self, server, **arguments):
        result = server.call(**{"code": PRINT, **arguments})
        self.assert_ran(result)
        self.assertTrue(result.text.startswith("1\n"), result.text)

    def assert_ratios(self, measure, **bounds):
        """`measure` gives seconds by name, once a round; each bound is of the first of them to another one."""
        for left in reversed(range(TRIES)):
            rounds = [measure() for _ in range(ROUNDS)]
            ours, *_ = medians = {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}
            slow = {name: (medians[ours] / medians[name], bound) for name, bound in bounds.items()
                    if medians[ours] > bound * medians[name]}
            if not slow:
                return
            if not left:
                self.fail(f"{ours} takes (times, at most) {slow} of what others take: {medians}")

    def until_preloaded(self, server, since):
        def ready():
            # What the file says is up to a second old.
            if time.monotonic() < since + 1.2:
                return False
            try:
                return any(kind["preloaded"] for kind in json.loads((server.state / "state" / "pool").read_text())["kinds"])
            except (OSError, ValueError):   # it is being written
                return False

        box.wait_until(ready, 120, "an interpreter waits")

    def test_a_preloaded_call_is_far_below_a_container_and_near_a_bare_interpreter(self):
        server = self.serve(SANDBOX_POOL_SIZE="2")

        def measure():
            self.until_preloaded(server, time.monotonic())
            return {"preloaded": timed(lambda: self.call(server)),
                    "container": timed(lambda: box.engine_cli("run", "--rm", "--network", "none", "--entrypoint", "python3",
                                                              box.image, "-c", PRINT)),
                    "bare": timed(lambda: subprocess.run([sys.executable, "-c", PRINT], check=True, capture_output=True))}

        measure()
        self.assert_ratios(measure, container=0.3, bare=2.5)

    def test_a_call_on_a_layer_costs_about_what_a_cold_call_without_packages_costs(self):
        server = self.serve(SANDBOX_POOL_SIZE="0", SANDBOX_PACKAGE_LAYERS="true")
        self.addCleanup(subprocess.run, [box.codebox, "layers", "prune"], env=server.environment, cwd=server.state,
                        capture_output=True, timeout=60)
        self.call(server, code=LIBRARY, libraries=["humanize"])
        box.wait_until(lambda: "holds humanize" in server.log(), 60, "the layer is made:\n" + server.log()[-2000:])

        def measure():
            return {"layered": timed(lambda: self.call(server, code=LIBRARY, libraries=["humanize"])),
                    "cold": timed(lambda: self.call(server))}

        self.assert_ratios(measure, cold=2.5)
