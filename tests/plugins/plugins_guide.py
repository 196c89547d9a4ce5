"""The commands of docs/plugins.md, from an empty folder to a working Lua, as they stand there."""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import box
import folder


class Guide(unittest.TestCase):
    def test_the_way_from_an_empty_folder_to_a_working_lua(self):
        for tool in ("docker", "mmdebstrap", "cmake"):
            if not shutil.which(tool):
                self.skipTest(f"skipped: {tool} is not installed")
        if not box.image:
            self.skipTest("skipped: no container engine runs")
        page = (folder.ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
        way = page[page.index("## From an empty folder"):page.index("## What a descriptor says")]
        commands = re.findall(r"^```sh\n(.*?)^```$", way, flags=re.S | re.M)
        self.assertEqual(len(commands), 5)
        with folder.temporary() as place:
            (place / "codebox").symlink_to(folder.ROOT)
            environment = {**os.environ, "PATH": f"{pathlib.Path(box.codebox).parent}:{os.environ['PATH']}",
                           "STATE_DIR": str(place / "state"), "JWT_SECRET": box.SECRET}
            environment.pop("PLUGIN_DIR", None)
            done = subprocess.run(["bash", "-ec", "\n".join(commands)], stdin=subprocess.DEVNULL, cwd=place, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=500)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout.count("good: Lua 1.0.0, run_lua\n"), 2, done.stdout)
        self.assertIn("hello from Lua 5.4\n", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^6 passed, 0 failed, \d+ skipped$")


if __name__ == "__main__":
    unittest.main()
