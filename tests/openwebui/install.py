"""Installs Open WebUI's slim server set (no torch) once into .cache/openwebui of the checkout."""
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

VERSION = os.environ.get("OPENWEBUI_VERSION", "0.12.4")
ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".cache" / "openwebui" / VERSION


def fitting_python():
    """A Python of a version that Open WebUI accepts, or None."""
    for name in ("python3", "python3.11", "python3.12"):
        path = shutil.which(name)
        if not path:
            continue
        probe = subprocess.run([path, "-c", "import sys; print(sys.version_info[:2] in ((3, 11), (3, 12)))"],
                               capture_output=True, text=True)
        if probe.stdout.strip() == "True":
            return path
    return None


def install(python):
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    venv = FOLDER / "venv"
    subprocess.run([python, "-m", "venv", venv], check=True)
    pip, uv = venv / "bin" / "pip", venv / "bin" / "uv"
    subprocess.run([pip, "install", "-q", "uv"], check=True)
    subprocess.run([pip, "download", "-q", "--no-deps", "-d", FOLDER, f"open-webui=={VERSION}"], check=True)
    wheel = next(FOLDER.glob("open_webui-*.whl"))
    requirements = FOLDER / "requirements-slim.txt"
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith("requirements-slim.txt"))
        requirements.write_bytes(archive.read(name))
    into = ["--python", venv / "bin" / "python"]
    subprocess.run([uv, "pip", "install", "-q", *into, "-r", requirements], check=True)
    subprocess.run([uv, "pip", "install", "-q", *into, "--no-deps", wheel], check=True)
    wheel.unlink()
    (FOLDER / "complete").touch()


def venv_python():
    """The interpreter that has Open WebUI; None where no fitting Python is installed."""
    if not (FOLDER / "complete").exists():
        python = fitting_python()
        if python is None:
            return None
        install(python)
    return FOLDER / "venv" / "bin" / "python"
