"""python3 tests/image/run.py --image IMAGE (--codebox PATH | --direct) [-k NAME]: what the prebuilt Python image promises.
With --direct its programs run in plain containers, for want of a built server; what needs the plugin is skipped then."""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
sys.path.insert(0, str(root / "tests" / "cases"))
import again  # noqa: E402
import box  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--image", required=True)
parser.add_argument("--codebox", default="")
parser.add_argument("--direct", action="store_true")
parser.add_argument("-k", dest="keyword", default="")
options = parser.parse_args()


def listed() -> list:
    text = (root / "dockerfiles" / "sandbox.python.requirements.txt").read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line and not line.startswith("#")]


class Done:
    def __init__(self, process, folder):
        self.out, self.err, self.folder = process.stdout, process.stderr, folder
        if process.returncode != 0:
            raise AssertionError(f"ended with {process.returncode}:\n{process.stdout[-2000:]}{process.stderr[-2000:]}")
        # The last line that is an object: the plugin may say something after it.
        self.value = json.loads(re.findall(r"^\{.*\}$", process.stdout, re.M)[-1])


class Image(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="codebox-image-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def program(self, name, stdin="") -> Done:
        if options.direct:
            command = ["docker", "run", "--rm", "-i", "--network", "none", "--read-only", "--user", "10002:10002",
                       "--tmpfs", "/tmp:exec", "--tmpfs", "/sandbox:mode=1777", "--workdir", "/sandbox", "-e", "HOME=/tmp",
                       options.image, "python3", "-c", (here / name).read_text(encoding="utf-8")]
            environment = None
        else:
            command = [os.path.abspath(options.codebox), "run", "python", str(here / name), "--output-dir",
                       str(self.folder)]
            environment = {"PATH": os.environ["PATH"], "JWT_SECRET": box.SECRET, "STATE_DIR": str(self.folder / "state"),
                           "SANDBOX_IMAGE_PYTHON": options.image, "SANDBOX_EXEC_TIMEOUT": "420", "LOG_LEVEL": "warn",
                           **{name: os.environ[name] for name in ("PLUGIN_DIR", "CONTAINER_HOST") if name in os.environ}}
        return Done(subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=450, env=environment,
                                   cwd=self.folder), self.folder)

    def test_every_package_of_the_list_is_imported(self):
        done = self.program("imports.py", "\n".join(listed()))
        self.assertEqual(done.value["failures"], {})
        self.assertEqual(done.value["imported"], len(listed()))

    def test_html_with_cjk_text_becomes_a_pdf_with_its_glyphs(self):
        value = self.program("pdf.py").value
        self.assertEqual(value["missing"], [])
        self.assertTrue(any("CJK" in font for font in value["fonts"]), value["fonts"])
        self.assertEqual(value["pictures"], 7)
        if not options.direct:
            self.assertTrue((self.folder / "report.pdf").read_bytes().startswith(b"%PDF-"))

    def test_labels_in_cjk_scripts_have_glyphs_and_the_font_list_is_there(self):
        if options.direct:
            self.skipTest("fonts are chosen and the font list is brought by the plugin, which --direct does not use")
        done = self.program("labels.py")
        said = done.out + done.err
        self.assertEqual(done.value["pictures"], done.value["signs"])
        self.assertNotIn("missing from", said)
        self.assertNotIn("generated new fontManager", said)
        self.assertTrue(any(name.startswith("fontlist-") for name in done.value["lists"]), done.value)
        self.assertTrue(next(self.folder.glob("figure-1*.png")).read_bytes().startswith(b"\x89PNG"))

    def test_a_build_that_fails_shows_no_password_of_its_index(self):
        folder = root / "dockerfiles"
        done = subprocess.run(
            ["docker", "build", "--force-rm", "--network", "host", "-f", str(folder / "sandbox.python.Dockerfile"),
             "--build-arg", "BASE_IMAGE=" + options.image, "--build-arg", "PYTHON_PACKAGES=no-such-package-of-codebox",
             "--build-arg", "PIP_INDEX_URL=https://reader:pass%40word@127.0.0.1:1/simple", str(folder)],
            capture_output=True, text=True, timeout=300)
        said = done.stdout + done.stderr
        self.assertNotEqual(done.returncode, 0, said)
        self.assertIn("no-such-package-of-codebox", said)
        self.assertNotIn("pass%40word", said)
        self.assertNotIn("pass@word", said)

    def test_programs_see_no_package_index_of_the_image(self):
        if options.direct:
            self.skipTest("a plain container has the image's whole environment")
        (self.folder / "index.py").write_text("import json, os\nprint(json.dumps([n for n in os.environ if 'INDEX' in n]))\n"
                                              "print('{}')\n", encoding="utf-8")
        done = self.program(self.folder / "index.py")
        self.assertIn("[]", done.out)


loader = unittest.TestLoader()
if options.keyword:
    loader.testNamePatterns = [f"*{options.keyword}*"]
sys.exit(again.run_counted(lambda: loader.loadTestsFromTestCase(Image), sys.stdout))
