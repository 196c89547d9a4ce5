"""python3 tests/mcp/run.py --codebox PATH [--image IMAGE] [-k NAME]: the protocol, from real clients and from raw HTTP,
against a real server. What runs a program is skipped where no image is given."""
import argparse
import os
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "cases"), str(here.parent / "plugins")]
import box  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--codebox", required=True)
parser.add_argument("--image", default="")
parser.add_argument("-k", dest="keyword", default="")
options = parser.parse_args()
box.codebox, box.image = os.path.abspath(options.codebox), options.image
sys.exit(box.run(here, "mcp_*.py", [options.keyword]))
