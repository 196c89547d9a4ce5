"""python3 tests/adversarial/run.py --codebox PATH --image IMAGE [--engine podman] [-k NAME]
[--only MODULE,...]: programs that attack, and what they are refused, over HTTP against a real server with real sandboxes."""
import argparse
import os
import pathlib
import sys
import unittest

import attack
import again
import box

MODULES = ("escapes", "races", "liars", "neighbours", "disk", "floods", "gvisor")
parser = argparse.ArgumentParser()
parser.add_argument("--codebox", required=True)
parser.add_argument("--image", default="")
parser.add_argument("--engine", default=box.engine, choices=("docker", "podman"))
parser.add_argument("-k", dest="keyword", default="")
parser.add_argument("--only", default=",".join(MODULES))
options = parser.parse_args()
box.codebox, box.image, box.engine = os.path.abspath(options.codebox), options.image, options.engine

sys.path.insert(0, str(pathlib.Path(__file__).parent))
loader = unittest.TestLoader()
if options.keyword:
    loader.testNamePatterns = [f"*{options.keyword}*"]
stream = os.fdopen(1, "w", buffering=1, closefd=False)
status = again.run_counted(lambda: loader.loadTestsFromNames(options.only.split(",")), stream)
for server in attack.Case.servers.values():
    server.stop()
sys.exit(status)
