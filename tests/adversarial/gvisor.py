"""The same hostile programs on gVisor, whose kernel is its own: what they meet is another program than Linux."""
import subprocess
import unittest

import disk
import escapes
import floods
import liars
import neighbours
import races


def setUpModule():
    asked = subprocess.run(["docker", "info", "-f", "{{range $name, $_ := .Runtimes}}{{$name}} {{end}}"], capture_output=True,
                           text=True, timeout=60, check=False)
    if "runsc" not in asked.stdout.split():
        raise unittest.SkipTest("this Docker knows no runtime runsc: see gVisor in docs/engines.md")


class Escapes(escapes.Escapes):
    runtime = "runsc"


class Liars(liars.Liars):
    runtime = "runsc"


class Races(races.Races):
    runtime = "runsc"


class Disk(disk.Disk):
    runtime = "runsc"

    def test_files_without_content_are_bounded_too(self):
        self.skipTest("gVisor knows no limit on files: they are memory of its own kernel, which the memory limit holds")


class Exhausted(neighbours.Exhausted):
    runtime = "runsc"


class Floods(floods.Floods):
    runtime = "runsc"
