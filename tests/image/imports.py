"""Imports every package of the prebuilt image, each in a process of its own, and prints one JSON object of the failures."""
import json
import subprocess
import sys

# What a program imports, by the name in dockerfiles/sandbox.python.requirements.txt where the two differ.
MODULES = {
    "scikit-learn": "sklearn", "pillow": "PIL.Image", "opencv-python-headless": "cv2", "python-docx": "docx",
    "python-pptx": "pptx", "pymupdf": "pymupdf", "fpdf2": "fpdf", "beautifulsoup4": "bs4", "pyyaml": "yaml",
    "scipy": "scipy.optimize", "matplotlib": "matplotlib.pyplot", "plotly": "plotly.express",
    "statsmodels": "statsmodels.api", "reportlab": "reportlab.platypus",
}
packages = sys.stdin.read().split()
failures = {}
for package in packages:
    done = subprocess.run([sys.executable, "-c", "import " + MODULES.get(package, package)], capture_output=True, text=True)
    if done.returncode != 0:
        failures[package] = done.stderr.strip().splitlines()[-1:] or [f"ended with {done.returncode}"]
print(json.dumps({"imported": len(packages) - len(failures), "failures": failures}))
