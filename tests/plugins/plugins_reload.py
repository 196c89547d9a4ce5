"""What is dropped into the plugin folder of a running server joins, changes and leaves without a restart."""
import shutil
import signal
import time
import unittest

import box
import folder
import load

JOINS_WITHIN = 2.0   # the promise, on a machine that does nothing else


def tools(server) -> dict:
    reply = server.post(server.message("tools/list"), **server.routing("tools/list"))
    return {tool["name"]: tool for tool in reply.json()["result"]["tools"]}


def seconds_until(condition, what) -> float:
    started = time.monotonic()
    box.wait_until(condition, 30, what)
    return time.monotonic() - started


class Reload(unittest.TestCase):
    def setUp(self):
        place = folder.temporary()
        self.place = place.__enter__()
        self.addCleanup(place.__exit__, None, None, None)
        python = folder.built("good").parent.parent / "plugins" / "python.so"
        folder.put(python, self.place / "python.so")
        server = box.Server(PLUGIN_DIR=str(self.place), SANDBOX_LANGUAGES=None)
        self.server = server.__enter__()
        self.addCleanup(server.__exit__, None, None, None)

    def put(self, name, target="good.so"):
        folder.put(folder.built(name), self.place / target)

    def wait_for_tool(self, name, there=True):
        return seconds_until(lambda: (name in tools(self.server)) == there, f"{name} is {'there' if there else 'gone'}")

    def wait_for_line(self, line):
        box.wait_until(lambda: line in self.server.log(), 30, f"the log says {line!r}")

    def test_a_file_that_is_dropped_in_joins_within_two_seconds(self):
        self.assertNotIn("run_good", tools(self.server))
        self.put("good")
        self.assertLess(self.wait_for_tool("run_good"), JOINS_WITHIN)
        self.assertIn("run_python", tools(self.server))
        self.wait_for_line('plugin "good.so": Good 1.0 joined')

    def test_a_file_that_is_copied_in_slowly_joins_when_it_is_whole(self):
        whole = folder.built("good").read_bytes()
        with open(self.place / "good.so", "wb") as out:
            (self.place / "good.so").chmod(0o644)
            for at in range(0, len(whole), len(whole) // 4):
                out.write(whole[at:at + len(whole) // 4])
                out.flush()
                time.sleep(0.3)   # longer than the server waits for a burst of changes to end
        self.wait_for_tool("run_good")

    def test_a_file_that_is_removed_leaves(self):
        self.put("good")
        self.wait_for_tool("run_good")
        (self.place / "good.so").unlink()
        self.wait_for_tool("run_good", there=False)
        self.wait_for_line('plugin "good.so": Good 1.0 left')

    def test_a_file_that_is_replaced_changes(self):
        self.put("good")
        self.wait_for_tool("run_good")
        self.put("longer_struct")
        self.wait_for_tool("run_longer")
        self.assertNotIn("run_good", tools(self.server))

    def test_a_broken_new_version_keeps_the_old_and_says_so_once(self):
        self.put("good")
        self.wait_for_tool("run_good")
        self.put("crashes")
        line = ('plugin "good.so" stays as it was, its new version is left out (crashed): The plugin crashed while it was '
                'loaded')
        self.wait_for_line(line)
        self.put("exposes", "other.so")
        self.wait_for_tool("run_exposes")
        self.assertIn("run_good", tools(self.server))
        self.assertEqual(self.server.log().count(line), 1)

    def test_a_file_that_was_refused_joins_once_its_mode_is_right(self):
        shutil.copyfile(folder.built("good"), self.place / "good.so")
        (self.place / "good.so").chmod(0o666)
        self.wait_for_line("run chmod go-w on it.")
        (self.place / "good.so").chmod(0o644)
        self.wait_for_tool("run_good")

    def test_a_newcomer_cannot_take_a_name_that_is_there(self):
        self.put("good")
        self.wait_for_tool("run_good")
        self.put("clash", "a.so")
        self.wait_for_line('is already taken by "good.so"')
        self.assertIn("run_good", tools(self.server))
        (self.place / "good.so").unlink()
        self.wait_for_tool("run_other")   # its name is free now

    def test_sighup_loads_everything_anew(self):
        self.server.process.send_signal(signal.SIGHUP)
        self.wait_for_line("loading the plugins anew on SIGHUP")
        self.wait_for_line('plugin "python.so": Python 1.0.0 takes the place of what was there')
        self.assertIn("run_python", tools(self.server))

    def test_a_folder_that_is_exchanged_for_another_is_followed(self):
        new = self.place.with_name(self.place.name + "-new")
        old = self.place.with_name(self.place.name + "-old")
        self.addCleanup(shutil.rmtree, old, True)
        shutil.copytree(self.place, new)
        folder.put(folder.built("good"), new / "good.so")
        self.place.rename(old)
        new.rename(self.place)
        self.wait_for_tool("run_good")
        self.put("longer_struct", "more.so")
        self.wait_for_tool("run_longer")

    def test_no_call_is_lost_while_plugins_come_and_go(self):
        self.put("conformance", "conformance.so")
        self.wait_for_tool("test_structured")
        kinds = {"lists": lambda: "run_python" in tools(self.server), "own tools": self.echoes}
        if box.image:
            kinds["programs"] = lambda: self.server.call(code="print(6 * 7)").text.startswith("42\n")
        with load.Load(kinds).running(clients_of_each=2) as clients:
            for _ in range(4):
                self.put("good")
                joined = self.wait_for_tool("run_good")
                self.put("longer_struct")
                self.wait_for_tool("run_longer")
                (self.place / "good.so").unlink()
                self.wait_for_tool("run_longer", there=False)
                # What is being called is replaced, too, by the same and by one that is broken.
                for name in ("python.so", "conformance.so"):
                    folder.put(self.place / name, self.place / name)
                self.put("crashes", "conformance.so")
                self.wait_for_line('plugin "conformance.so" stays as it was')
                self.put("conformance", "conformance.so")
        clients.report(f"plugins that come and go (the last joined after {joined:.2f} s)")
        self.assertEqual(clients.lost, [])
        self.assertGreater(sum(clients.calls.values()), 40)

    def echoes(self) -> bool:
        reply = self.server.post(self.server.message("tools/call", {"name": "test_structured", "arguments": {"n": 7}}),
                                 **self.server.routing("tools/call", "test_structured"))
        return reply.json()["result"]["structuredContent"] == {"n": 7}


if __name__ == "__main__":
    unittest.main()
