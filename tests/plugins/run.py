"""python3 tests/plugins/run.py --codebox PATH [--image IMAGE] [-k NAME]: what an author and an operator of plugins meet,
with the real program and, where they are installed, with other compilers."""
import argparse
import os
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "cases")]
import box  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--codebox", required=True)
parser.add_argument("--image", default="")
parser.add_argument("-k", dest="keywords", action="append", default=[])
options = parser.parse_args()
box.codebox, box.image = os.path.abspath(options.codebox), options.image
sys.exit(box.run(here, "plugins_*.py", options.keywords))
