"""Sandboxes that wait for calls: a program cannot tell that its interpreter was started before, nor that another program
ran before it."""
import base64
import json
import pathlib
import time
import unittest

import box
import preload_programs

FOLDER = pathlib.Path(__file__).parent
PRELOADED = "import sys\nprint('pandas' in sys.modules)"
LEAVE = """
import os, subprocess
for folder in ("/sandbox", "/sandbox/output", "/tmp", "/tmp/home", "/packages", "/dev/shm"):
    try:
        open(os.path.join(folder, "left-behind"), "w").write("x")
    except OSError as error:
        print(folder, error)
subprocess.Popen(["sleep", "3000"], start_new_session=True)
os.environ["LEFT_BEHIND"] = "1"
open("/tmp/home/.profile", "w").write("export LEFT_BEHIND=1")
"""
LOOK = """
import os, subprocess
found = []
for top in ("/sandbox", "/tmp", "/packages", "/dev/shm"):
    for folder, _, names in os.walk(top):
        found += [os.path.join(folder, name) for name in names if name in ("left-behind", ".profile")]
for entry in filter(str.isdigit, os.listdir("/proc")):
    try:
        command = open(f"/proc/{entry}/cmdline").read()
    except OSError:
        continue
    if "sleep" in command:
        found.append(command)
print(found, os.environ.get("LEFT_BEHIND"))
"""


class Waiting(box.Case):
    def test_a_preloaded_interpreter_cannot_be_told_from_a_fresh_one(self):
        with box.Server(SANDBOX_EXEC_TIMEOUT="150", SANDBOX_MAX_OUTPUT="1MB") as server:
            server.wait_ready()
            listed = json.dumps(preload_programs.PROGRAMS)
            result = server.call(code=(FOLDER / "preload_driver.py").read_text(encoding="utf-8"),
                                 input_files=[{"path": "programs.json", "text": listed}])
        self.assertFalse(result.is_error, result.text)
        start, end = result.text.find('{"count"'), result.text.rfind("}")
        self.assertGreaterEqual(start, 0, result.text[:3000])
        seen = json.loads(result.text[start:end + 1])
        self.assertEqual(seen["count"], len(preload_programs.PROGRAMS))
        for name, both in seen["differences"].items():
            with self.subTest(name):
                self.assertEqual(both["fresh"], both["preloaded"])

    def preloaded(self, server, **arguments):
        return "True" in server.call(code=PRELOADED, **arguments).text

    def until_preloaded(self, server, **arguments):
        """Calls now and then: one that comes while an interpreter still loads gets a fresh one instead."""
        def calls():
            time.sleep(2)
            return self.preloaded(server, **arguments)

        box.wait_until(calls, 120, "a call gets a preloaded interpreter")

    def test_who_gets_a_preloaded_interpreter_and_who_a_fresh_one(self):
        with box.Server(SANDBOX_POOL_SIZE="2") as server:
            server.wait_ready()
            if "pandas" not in server.call("list_python_packages").text:
                self.skipTest("the image has no pandas to see it by")
            self.until_preloaded(server)
            data = base64.b64encode(b"a,b\n1,2\n").decode()
            self.until_preloaded(server, input_files=[{"path": "a.csv", "base64": data}])
            for path in ("json.py", "pandas/__init__.py", "matplotlibrc", "numpy.so"):
                with self.subTest(path):
                    self.until_preloaded(server)
                    self.assertFalse(self.preloaded(server, input_files=[{"path": path, "text": "x = 1"}]))
            shadow = server.call(code="import json\nprint(json.x)", input_files=[{"path": "json.py", "text": "x = 77"}])
            self.assertIn("77", shadow.text)

    def test_nothing_that_a_call_leaves_is_seen_by_thirty_others(self):
        with box.Server(SANDBOX_POOL_SIZE="3") as server:
            server.wait_ready()
            for _ in range(30):
                self.assertFalse(server.call(code=LEAVE).is_error)
                looked = server.call(code=LOOK)
                self.assertIn("[] None", looked.text)

    def test_stopping_the_server_removes_what_waits(self):
        with box.Server(SANDBOX_POOL_SIZE="3") as server:
            server.wait_ready()
            box.wait_until(lambda: len(server.containers()) >= 3, 120, "three wait")
            name = (server.state / "state" / "instance").read_text().strip()
            self.assertEqual(server.stop(), 0)
        left = box.subprocess.run(["docker", "ps", "-aq", "--filter", f"label=codebox.instance={name}"],
                                  check=True, capture_output=True, text=True, timeout=60).stdout.split()
        self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
