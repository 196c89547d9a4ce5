"""The contract is frozen as 1.0: a plugin that was built then loads as it did, and the header only grows."""
import base64
import gzip
import pathlib
import platform
import re
import shutil
import subprocess
import unittest

import folder

HERE = pathlib.Path(__file__).resolve().parent / "frozen"
FROZEN = HERE / "include" / "codebox" / "plugin.h"
TODAY = folder.ROOT / "sdk" / "include" / "codebox" / "plugin.h"
COMPILE = ["gcc", "-std=c11", "-g", "-shared", "-fPIC", "-fvisibility=hidden"]


def meaning(header: pathlib.Path) -> str:
    """The header without comments and white space."""
    return " ".join(re.sub(r"/\*.*?\*/", " ", header.read_text(encoding="utf-8"), flags=re.S).split())


def minor() -> int:
    return int(re.search(r"CBX_ABI_MINOR (\d+)u", TODAY.read_text(encoding="utf-8")).group(1))


class Frozen(unittest.TestCase):
    def test_a_plugin_built_from_the_header_of_1_0_loads_with_every_value(self):
        if platform.machine() != "x86_64":
            self.skipTest("skipped: the frozen plugin is for amd64")
        with folder.temporary() as place:
            packed = base64.b64decode((HERE / "frozen.so.gz.base64").read_text())
            (place / "frozen.so").write_bytes(gzip.decompress(packed))
            (place / "frozen.so").chmod(0o644)
            status, answer = folder.check(place / "frozen.so")
        self.assertEqual((status, answer["findings"]), (0, []), answer)
        command = lambda milliseconds, mib, *argv: {"argv": list(argv), "memory": mib << 20, "time_ms": milliseconds}   # noqa: E731
        self.assertEqual(answer["language"], {
            "id": "frozen", "version": "1.0", "display_name": "Frozen", "description": "Runs nothing.\nNever.",
            "image": "codebox/none:1", "source_file": "main.frz", "aliases": ["frz"], "architectures": ["amd64"],
            "env": ["FROZEN=1"], "support": [{"name": "run", "hex": "610062"}],
            "compile": command(1000, 64, "frozenc", "{source}"),
            "run": command(2000, 128, "frozen", "{support}/run", "{source}"),
            "list": command(3000, 0, "frozen", "list"), "list_json": True,
            "packages": {"noun": "ice block", "example": "ice=1", "extra_characters": "=", "longest": 100, "most": 10,
                         "install": command(4000, 256, "frozen", "install", "{prefix}", "{packages}"),
                         "verify": command(0, 0, "frozen", "verify"), "install_env": ["FROZEN_QUIET=1"],
                         "env": ["FROZEN_PATH={prefix}"], "index_variables": ["FROZEN_INDEX"]},
            "warm": ["frozen", "wait"], "ignore": ["*.frz"], "hints": [{"pattern": "*melted*", "hint": "Freeze it again."}],
            "sample": {"code": "code\n", "input": "input\n", "output": "output\n"}})

    def test_the_header_of_today_is_that_of_its_version(self):
        if minor() == 0:
            self.assertEqual(meaning(TODAY), meaning(FROZEN), "plugin.h changed: a change after 1.0 is a new field at the "
                             "end of a struct and a higher CBX_ABI_MINOR; docs/plugins.md has the rules")
        self.assertEqual(meaning(FROZEN).count("CBX_ABI_MINOR 0u"), 1)

    def test_abidiff_finds_no_break(self):
        for tool in ("abidiff", "gcc"):
            if not shutil.which(tool):
                self.skipTest(f"skipped: {tool} is not installed")
        with folder.temporary() as place:
            for name, header in (("then", FROZEN), ("now", TODAY)):
                subprocess.run([*COMPILE, f"-I{header.parents[1]}", "-o", place / f"{name}.so", HERE / "frozen.c"], check=True)
            report = subprocess.run(["abidiff", place / "then.so", place / "now.so"], capture_output=True, text=True)
        incompatible = 8
        self.assertEqual(report.returncode & (incompatible if minor() else ~0), 0, report.stdout)


if __name__ == "__main__":
    unittest.main()
