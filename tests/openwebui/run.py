#!/usr/bin/env python3
"""Tests of the server with a real Open WebUI: installs it (cached), starts it with a scripted model, and acts
as its browser would. The last line says how many tests passed, failed and were skipped.

    python3 tests/openwebui/run.py [name of a test ...]
    python3 tests/openwebui/run.py --screenshots    takes the pictures of docs/images instead

CODEBOX_BINARY and PLUGIN_DIR say where the server and its plugins are (default: build/dev);
SANDBOX_IMAGE_PYTHON and every other setting of the server pass through."""
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import install


def main():
    python = install.venv_python()
    if python is None:
        print("skipped: Open WebUI needs Python 3.11 or 3.12, which is not here")
        print("openwebui: 0 passed, 0 failed, 1 skipped")
        return 0
    if sys.argv[1:] == ["--screenshots"]:
        os.execv(python, [str(python), str(Path(__file__).parent / "screenshots.py")])
    os.execv(python, [str(python), str(Path(__file__).parent / "suite.py"), *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
