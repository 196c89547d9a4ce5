"""python3 tests/cases/run.py --codebox PATH [--image IMAGE] [-k NAME]: the inputs that must work, as black-box tests
over HTTP against a real server with real sandboxes."""
import argparse
import os
import pathlib
import sys

import box

parser = argparse.ArgumentParser()
parser.add_argument("--codebox", required=True)
parser.add_argument("--image", default="")
parser.add_argument("-k", dest="keywords", action="append", default=[])
parser.add_argument("--engine", choices=("docker", "podman"), default="docker")
options = parser.parse_args()
box.engine = options.engine
box.codebox, box.image = os.path.abspath(options.codebox), options.image
sys.exit(box.run(pathlib.Path(__file__).parent, "case_*.py", options.keywords))
