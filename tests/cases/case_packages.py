"""Packages: what may be named, where it comes from, and what install code can do."""
import json

import box
import index

REFUSED = ["foo; rm -rf /", "--index-url=http://evil", "-r file", "git+https://host/x", "file:///etc", "../x", "foo bar",
           "x @ http://evil/x.whl", "https://evil/x.whl", "foo\n--pre", "$(id)", "`id`", "x" * 500]
# Writes what it can see while it installs into the package that it makes, and leaves a daemon behind.
NOSY = '''
import base64, json, os, socket, subprocess, sys, zipfile

def build_wheel(directory, config_settings=None, metadata_directory=None):
    daemon = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600) # codebox-daemon"],
                              start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    try:
        socket.create_connection(("127.0.0.1", int(os.environ.get("NOSY_PORT", "1"))), timeout=3).close()
        reached = True
    except OSError:
        reached = False
    seen = [os.path.join(at, name) for top in ("/sandbox", "/tmp") for at, _, names in os.walk(top) for name in names]
    found = {"env": dict(os.environ), "files": seen, "reached": reached, "daemon": daemon.pid}
    info = "nosy-1.0.dist-info"
    with zipfile.ZipFile(os.path.join(directory, "nosy-1.0-py3-none-any.whl"), "w") as wheel:
        wheel.writestr("nosy.py", "FOUND = " + repr(json.dumps(found)))
        wheel.writestr(info + "/METADATA", "Metadata-Version: 2.1\\nName: nosy\\nVersion: 1.0\\n")
        wheel.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "/RECORD", "nosy.py,,\\n")
    return "nosy-1.0-py3-none-any.whl"
'''
WHERE_BUILT = '''
import os, tempfile, zipfile

def build_wheel(directory, config_settings=None, metadata_directory=None):
    info = "where_built-1.0.dist-info"
    with zipfile.ZipFile(os.path.join(directory, "where_built-1.0-py3-none-any.whl"), "w") as wheel:
        wheel.writestr("where_built.py", "FOLDER = " + repr(tempfile.mkdtemp()))
        wheel.writestr(info + "/METADATA", "Metadata-Version: 2.1\\nName: where_built\\nVersion: 1.0\\n")
        wheel.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "/RECORD", "where_built.py,,\\n")
    return "where_built-1.0-py3-none-any.whl"
'''
NEEDS_COMPILER = '''
def build_wheel(directory, config_settings=None, metadata_directory=None):
    raise RuntimeError("error: command 'gcc' failed: No such file or directory")
'''


class Names(box.Case):
    def test_what_is_no_package_name_is_refused_and_nothing_starts(self):
        before = self.server.containers()
        for name in REFUSED:
            with self.subTest(name[:40]):
                result = self.run_python('print("it " + "ran")', libraries=[name])
                self.assert_refused(result)
                self.assertNotIn("it ran", result.text)
                self.assertGreater(len(result.text), 20)
        self.assert_refused(self.run_python("print(1)", libraries=[f"package{n}" for n in range(500)]))
        self.assertFalse(self.server.containers() - before)

    def test_a_package_from_the_real_index_is_installed(self):
        result = self.run_python("import humanize\nprint(humanize.intcomma(1234567))", libraries=["humanize==4.*"], timeout=60)
        self.assert_ran(result)
        self.assertIn("1,234,567", result.text)

    def test_the_images_own_packages_are_listed_and_stay_in_view(self):
        listed = self.server.call("list_python_packages")
        self.assertFalse(listed.is_error, listed.text)
        self.assertIn("matplotlib", listed.text)
        result = self.run_python("import humanize, numpy\nprint(numpy.arange(3).sum())", libraries=["humanize"])
        self.assert_ran(result)
        self.assertIn("3", result.text)

    def test_the_tools_description_says_what_the_image_has(self):
        label = label_of(box.image)
        if not label:
            self.skipTest("the image has no label codebox.packages")
        box.wait_until(lambda: f"The image already has: {label}." in descriptions(self.server)["run_python"], 60,
                       "the label is in the description")

    def test_every_description_says_what_its_image_has_as_far_as_images_are_here(self):
        with box.Server(SANDBOX_LANGUAGES=None, SANDBOX_PULL="never") as server:
            labels = {tool: label_of(f"codebox/sandbox-{ {'c': 'cpp'}.get(tool[4:], tool[4:]) }:latest")
                      for tool in descriptions(server) if tool.startswith("run_") and tool != "run_python"}
            labels = {tool: label for tool, label in labels.items() if label}
            box.wait_until(lambda: all(f"The image already has: {label}." in descriptions(server)[tool]
                                       for tool, label in labels.items()), 60, f"these are said: {labels}")


def label_of(image) -> str:
    return box.engine_cli("image", "inspect", "-f", '{{index .Config.Labels "codebox.packages"}}', image, check=False).stdout.strip()


def descriptions(server) -> dict:
    tools = server.post(server.message("tools/list"), **server.routing("tools/list")).json()["result"]["tools"]
    return {tool["name"]: tool["description"] for tool in tools}


class PrivateIndex(box.Case):
    def serve(self, packages, **settings):
        source = index.Index(*packages)
        return source, box.Server(SANDBOX_ALLOWED_HOSTS=source.host, SANDBOX_ENV_PYTHON=f"PIP_INDEX_URL={source.url}",
                                  SANDBOX_CA_BUNDLE=source.bundle, SANDBOX_EXEC_TIMEOUT="60", **settings)

    def test_credentials_work_and_show_nowhere(self):
        source, box_server = self.serve([index.PRIVATE])
        with source, box_server as server:
            server.wait_ready()
            result = server.call(libraries=["private-words"], code=(
                "import os, private_words\nprint(private_words.WORD)\nfor name, value in os.environ.items():\n    print(name, value)\n"
                "for pid in filter(str.isdigit, os.listdir('/proc')):\n"
                "    try:\n        print(open(f'/proc/{pid}/cmdline').read())\n    except OSError:\n        pass"))
            self.assert_ran(result)
            self.assertIn("from the private index", result.text)
            missing = server.call(code="print(1)", libraries=["no-such-words"])
            self.assertTrue(missing.is_error, missing.text)
            self.assertIn("no-such-words", missing.text)
            for text in (result.text, missing.text, server.log()):
                self.assertNotIn(source.secret, text)
                self.assertNotIn(index.PASSWORD, text)

    def test_a_package_that_does_not_exist_or_needs_a_compiler_is_explained_and_nothing_runs(self):
        source, box_server = self.serve([index.sdist("needs_compiler", NEEDS_COMPILER)])
        with source, box_server as server:
            server.wait_ready()
            for name in ("no-such-words", "needs-compiler"):
                result = server.call(code='print("it " + "ran")', libraries=[name])
                self.assertTrue(result.is_error, result.text)
                self.assertNotIn("it ran", result.text)
                self.assertRegex(result.text, name.replace("-", "[-_]"))
                self.assertLess(len(result.text), 8000)

    def test_an_installer_has_room_for_all_of_SANDBOX_MAX_INSTALL(self):
        # More than /tmp holds, which is where installers unpack unless they have a folder for it.
        wheels = [index.wheel(f"large_{n}", {f"large_{n}.py": "", f"large_{n}.bin": bytes(50 << 20)}) for n in range(2)]
        source, box_server = self.serve([*wheels, index.sdist("where_built", WHERE_BUILT)])
        with source, box_server as server:
            server.wait_ready()
            result = server.call(libraries=["large-0", "large-1"], code="import large_0, os\n"
                                 "print(os.path.getsize(large_0.__file__[:-2] + 'bin'), os.listdir(os.environ['TMPDIR']))")
            self.assert_ran(result)
            self.assertIn(str(50 << 20), result.text)
            self.assertNotIn("pip-", result.text)
            result = server.call(libraries=["where-built"], code="import where_built\nprint(where_built.FOLDER)")
            self.assertRegex(result.text, "^/packages/.tmp/")

    def test_install_code_sees_no_user_file_and_is_dead_before_the_program(self):
        source, box_server = self.serve([index.sdist("nosy", NOSY)])
        with source, box_server as server:
            server.wait_ready()
            result = server.call(
                libraries=["nosy"], input_files=[{"path": "private.csv", "text": "the,users,own"}],
                code="import nosy, os\nprint(nosy.FOUND)\n"
                     "for pid in filter(str.isdigit, os.listdir('/proc')):\n"
                     "    try:\n        print('PROCESS', open(f'/proc/{pid}/cmdline').read())\n    except OSError:\n        pass\n"
                     "print(open('private.csv').read())")
            if result.is_error:  # an installer that takes only built packages runs no code of theirs at all
                self.assertIn("nosy", result.text)
                return
            self.assertIn("the,users,own", result.text)
            found = json.loads(next(line for line in result.text.splitlines() if line.startswith('{"env"')))
            self.assertFalse([path for path in found["files"] if "private.csv" in path])
            self.assertNotIn("JWT_SECRET", found["env"])
            self.assertNotIn(box.SECRET, json.dumps(found))
            self.assertFalse(found["reached"])
            self.assertNotIn("codebox-daemon", result.text.split("PROCESS", 1)[1])

    def test_a_closed_network_fails_the_install_within_seconds_and_says_so(self):
        with box.Server(SANDBOX_NETWORK="none") as server:
            server.wait_ready()
            result = server.call(code="print(1)", libraries=["humanize"])
            self.assertTrue(result.is_error, result.text)
            self.assertIn("SANDBOX_NETWORK", result.text)
            self.assertLess(result.took, 20)

    def test_a_host_that_is_not_listed_is_not_reached(self):
        with index.Index(index.PRIVATE) as source, box.Server(SANDBOX_ENV_PYTHON=f"PIP_INDEX_URL={source.url}") as server:
            server.wait_ready()
            result = server.call(code="print(1)", libraries=["private-words"])
            self.assertTrue(result.is_error, result.text)
            self.assertEqual(source.unauthorized, 0)
            self.assertNotIn(source.secret, result.text)
