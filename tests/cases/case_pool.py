"""Sandboxes that wait: what `codebox doctor` shows of them, what they may hold, and when they go."""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import box


class Pool(box.Case):
    def serve(self, **settings) -> box.Server:
        server = self.enterContext(box.Server(**{"SANDBOX_POOL_SIZE": "2", "LOG_LEVEL": "debug", **settings}))
        server.wait_ready()
        return server

    @staticmethod
    def kinds(server) -> list:
        try:
            return json.loads((server.state / "state" / "pool").read_text())["kinds"]
        except (OSError, ValueError):   # it is being written
            return []

    def until(self, server, what, condition):
        return box.wait_until(lambda: next((kind for kind in self.kinds(server) if condition(kind)), None), 120, what)

    def until_ready(self, server, count=2):
        return self.until(server, f"{count} interpreters wait", lambda kind: kind["preloaded"] >= count)

    def test_doctor_shows_what_waits_and_the_memory_that_it_holds(self):
        server = self.serve()
        kind = self.until_ready(server)
        # An interpreter with numpy, pandas and matplotlib, as measured, and its sandbox.
        self.assertGreater(kind["bytes"] / kind["waiting"], 30 << 20)
        self.assertLess(kind["bytes"] / kind["waiting"], 160 << 20)
        # The port is the server's, and so doctor is right to find it taken.
        seen = subprocess.run([box.codebox, "doctor", "--json"], env=server.environment, cwd=server.state, timeout=120,
                              capture_output=True, text=True)
        lines = [check for check in json.loads(seen.stdout)["checks"] if check["topic"] == "pool"]
        self.assertEqual(len(lines), 2, seen.stdout)
        self.assertRegex(lines[0]["text"], r"^python: 2 of 2 sandboxes wait for calls, 2 of them with their process; they hold \d")
        self.assertIn("SANDBOX_POOL_MEMORY", lines[1]["text"])

    def test_one_that_is_killed_while_it_waits_never_reaches_a_caller(self):
        server = self.serve()
        for _ in range(2):
            self.until_ready(server)
            # One that is on its way out already is no failure.
            box.engine_cli("kill", *server.containers(), check=False)
            result = server.call(code="print('it is ' + 'fine')")
            self.assert_ran(result)
            self.assertIn("it is fine", result.text)

    def test_another_image_of_the_same_name_empties_the_pool(self):
        name = f"codebox/pool-test:{box.free_port()}"
        box.engine_cli("tag", box.image, name)
        self.addCleanup(box.engine_cli, "rmi", name, check=False)
        server = self.serve(SANDBOX_IMAGE_PYTHON=name)
        self.until_ready(server)
        old = server.containers()
        subprocess.run([box.engine, "build", "-q", "-t", name, "-"], input=f"FROM {box.image}\nENV IMAGE_IS=new\n", text=True,
                       check=True, capture_output=True, timeout=120)
        # The image is looked at now and then, not for every call.
        box.wait_until(lambda: "IMAGE=new" in server.call(code="import os\nprint('IMAGE=' + os.environ.get('IMAGE_IS', ''))").text,
                       60, "a call gets the new image")
        box.wait_until(lambda: not old & server.containers(), 60, "what waited is gone")

    def test_what_waits_gives_way_to_calls_where_memory_is_promised(self):
        # Room for two sandboxes, which is what waits; each call that comes meanwhile needs one of those places.
        server = self.serve(SANDBOX_MAX_MEMORY="200MB", SANDBOX_MAX_DISK="64MB", SANDBOX_MAX_TOTAL_MEMORY="700MB",
                            SANDBOX_MAX_INSTALL="100MB")
        self.until(server, "two wait", lambda kind: kind["waiting"] >= 2)
        # It needs a place of its own, since nothing with that image waits without its files.
        listed = server.call("list_python_packages")
        self.assertFalse(listed.is_error, listed.text)
        self.assertIn("pip", listed.text)

    def test_callers_whose_sandboxes_fit_are_not_refused_for_those_that_are_still_being_removed(self):
        # Room for three sandboxes and two callers, each of whom comes again at once.
        server = self.serve(SANDBOX_POOL_SIZE="0", SANDBOX_MAX_MEMORY="200MB", SANDBOX_MAX_DISK="64MB",
                            SANDBOX_MAX_TOTAL_MEMORY="1000MB", SANDBOX_MAX_INSTALL="100MB")
        self.assert_ran(server.call(code="print(1)"))
        with concurrent.futures.ThreadPoolExecutor(2) as callers:
            for result in callers.map(lambda n: server.call(code="print(1)", user=f"caller-{n % 2}"), range(16)):
                self.assert_ran(result)

    def test_the_memory_of_all_that_wait_is_capped(self):
        server = self.serve(SANDBOX_POOL_SIZE="6", SANDBOX_POOL_MEMORY="250MB")
        kind = self.until(server, "some wait", lambda kind: kind["preloaded"] >= 2)
        self.assertLessEqual(kind["bytes"], 250 << 20)
        self.assertEqual(kind["target"], 6)

    def test_what_waits_for_a_language_whose_plugin_leaves_goes_without_a_restart(self):
        place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        place.chmod(0o755)
        plugins = pathlib.Path(os.environ.get("PLUGIN_DIR") or pathlib.Path(box.codebox).resolve().parent.parent / "plugins")
        shutil.copy(plugins / "python.so", place / "python.so")
        server = self.serve(PLUGIN_DIR=str(place), SANDBOX_LANGUAGES=None)
        self.until(server, "two wait", lambda kind: kind["waiting"] >= 2)
        (place / "python.so").unlink()
        box.wait_until(lambda: "left" in server.log(), 30, "the plugin left")
        box.wait_until(lambda: not server.containers() and not self.kinds(server), 60, "what waited is gone, and so it is said")
        shutil.copy(plugins / "python.so", place / "python.so")
        self.until(server, "two wait again", lambda kind: kind["waiting"] >= 2)
        self.assert_ran(server.call(code="print(1)"))


if __name__ == "__main__":
    unittest.main()
