"""Runs the tests within Open WebUI's own environment; run.py starts it."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))


sys.path.insert(0, str(Path(__file__).parent.parent / "cases"))
import again  # noqa: E402  (found by the path above)


def main():
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{name}*" for name in sys.argv[1:]] or None
    return again.run_counted(lambda: loader.discover(str(Path(__file__).parent), pattern="test_*.py"), sys.stdout)


if __name__ == "__main__":
    sys.exit(main())
