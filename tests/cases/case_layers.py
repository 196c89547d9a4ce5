"""Packages that a call installed are kept as a layer of the image, and later calls start with them."""
import concurrent.futures
import os
import pathlib
import ssl
import subprocess
import tempfile

import box
import index

PROGRAM = "import humanize, os; print(humanize.intcomma(1234567), os.statvfs('/packages').f_flag & os.ST_RDONLY)"
LAYERED, PLAIN = "1,234,567 1", "1,234,567 0"


WORDS = "import os, {0}; print({0}.WORD, os.statvfs('/packages').f_flag & os.ST_RDONLY)"
# Puts a start-up hook into the packages while it is built, which no record will list.
HOOKER = '''
import glob, os, sys, zipfile

def build_wheel(directory, config_settings=None, metadata_directory=None):
    site = "/packages/lib/python%d.%d/site-packages" % sys.version_info[:2]
    os.makedirs(site, exist_ok=True)
    with open(site + "/hooker.pth", "w") as hook:
        hook.write("import sys; sys.hooked = True\\n")
    info = "hooker-1.0.dist-info"
    with zipfile.ZipFile(os.path.join(directory, "hooker-1.0-py3-none-any.whl"), "w") as wheel:
        wheel.writestr("hooker.py", "WORD = 'hooked'")
        wheel.writestr(info + "/METADATA", "Metadata-Version: 2.1\\nName: hooker\\nVersion: 1.0\\n")
        wheel.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "/RECORD", "hooker.py,,\\n")
    return "hooker-1.0-py3-none-any.whl"
'''


class LayersCase(box.Case):
    def serve(self, **settings) -> box.Server:
        server = box.Server(SANDBOX_PACKAGE_LAYERS="true", LOG_LEVEL="debug", **settings).__enter__()
        self.addCleanup(server.stop)
        self.addCleanup(self.layers, server, "prune")
        server.wait_ready()
        return server

    @staticmethod
    def layers(server, action) -> list:
        return subprocess.run([box.codebox, "layers", action], env=server.environment, cwd=server.state, check=True,
                              capture_output=True, text=True, timeout=60).stdout.splitlines()

    @staticmethod
    def made(server, what):
        box.wait_until(lambda: f"holds {what}" in server.log(), 60, f"the layer of {what} is made:\n" + server.log()[-2000:])


    def call(self, server, library="humanize") -> str:
        result = server.call(code=PROGRAM, libraries=[library])
        self.assert_ran(result)
        return result.text


class Layers(LayersCase):
    def test_a_set_is_installed_once_and_then_comes_as_a_layer(self):
        server = self.serve()
        self.assertIn(PLAIN, self.call(server))
        self.made(server, "humanize")
        self.assertIn(LAYERED, self.call(server))
        self.assertEqual(len(self.layers(server, "list")), 1)
        self.assertIn(PLAIN, self.call(server, "humanize>4"), "another specifier is another set")
        self.layers(server, "prune")
        self.assertIn(PLAIN, self.call(server), "a layer that was removed is not missed")


class LayersOfTwoServers(LayersCase):
    """On one engine, with the same image, plugin, settings and so the same set under the same key."""

    def test_each_has_its_own_and_removes_no_other(self):
        one, two = self.serve(), self.serve()
        for server in (one, two):
            self.assertIn(PLAIN, self.call(server))
            self.made(server, "humanize")
        for server in (one, two):
            self.assertIn(LAYERED, self.call(server), "the other server's layer has not taken the place of its own")
        self.assertEqual([line.split()[0] for line in self.layers(one, "list")],
                         [line.split()[0] for line in self.layers(two, "list")])
        self.layers(one, "prune")
        self.assertEqual(len(self.layers(one, "list")), 0)
        self.assertEqual(len(self.layers(two, "list")), 1)
        self.assertIn(LAYERED, self.call(two))
        self.assertIn(PLAIN, self.call(one))
        self.made_again(one)
        self.assertIn(LAYERED, self.call(two))
        self.assertIn(LAYERED, self.call(one))

    def made_again(self, server):
        box.wait_until(lambda: server.log().count("holds humanize") == 2, 60, "the layer is made again")


class PreparedImages(box.Case):
    def test_a_server_that_adds_something_else_removes_what_it_prepared_before(self):
        state = self.enterContext(tempfile.TemporaryDirectory())
        bundle = pathlib.Path(state) / "bundle.pem"
        before = pathlib.Path(os.environ.get("SANDBOX_CA_BUNDLE") or ssl.get_default_verify_paths().cafile).read_text()
        made, old = [], set()
        for _ in range(2):
            bundle.write_text(f"# {os.urandom(8).hex()}\n{before}")
            with box.Server(SANDBOX_CA_BUNDLE=str(bundle), STATE_DIR=state) as server:
                server.wait_ready()
                self.assertTrue(server.call(code="print(1)").text.startswith("1\n"))
                name = (pathlib.Path(state) / "instance").read_text().strip()
                box.wait_until(lambda: len(self.of(name) - old) == 1 and not self.of(name) & old, 60,
                               f"what {name} prepared before is gone: {self.of(name)}")
                made.append(self.of(name))
                old = made[0]
        self.assertNotEqual(*made)
        box.engine_cli("rmi", *made[1], check=False)

    @staticmethod
    def of(instance) -> set:
        return set(box.engine_cli("images", "-q", "--no-trunc", "--filter", f"label=codebox.prepared.of={instance}").stdout.split())


class LayersOfAnIndex(LayersCase):
    """Of a private index, which counts what it is asked for."""

    def serve(self, **settings):
        words = {name: index.wheel(name, {f"{name}.py": f"WORD = '{name}'\n", f"{name}_data.py": "X = " + repr(os.urandom(350_000).hex())})
                 for name in ("one_words", "two_words", "few_words")}
        self.source = self.enterContext(index.Index(*words.values(), index.sdist("hooker", HOOKER)))
        return super().serve(SANDBOX_ALLOWED_HOSTS=self.source.host, SANDBOX_CA_BUNDLE=self.source.bundle,
                             SANDBOX_ENV_PYTHON=f"PIP_INDEX_URL={self.source.url}", **settings)

    def call(self, server, name, user="ada") -> bool:
        """Whether it came from a layer."""
        result = server.call(code=WORDS.format(name), libraries=[name.replace("_", "-")], user=user)
        self.assert_ran(result)
        self.assertRegex(result.text, r"^\w+ [01]\n")
        return f" {os.ST_RDONLY}\n" in result.text

    def test_many_callers_of_one_set_have_it_installed_once_for_all(self):
        server = self.serve()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            first = list(pool.map(lambda user: self.call(server, "few_words", user), ("ada", "bob", "eve", "joe")))
        self.made(server, "few-words")
        self.assertEqual(server.log().count("holds few-words"), 1)
        self.assertEqual(len(self.source.served), first.count(False) + 1)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(lambda user: self.call(server, "few_words", user), ("ada", "bob", "eve", "joe"))), [True] * 4)
        self.assertEqual(server.log().count("holds few-words"), 1)
        self.assertEqual(len(self.source.served), first.count(False) + 1)

    def test_what_fails_or_hooks_into_every_start_is_not_kept(self):
        server = self.serve()
        missing = server.call(code="print(1)", libraries=["no-such-words"])
        self.assertTrue(missing.is_error, missing.text)
        hooked = server.call(code=WORDS.format("hooker"), libraries=["hooker"])
        if not hooked.is_error:   # an installer that takes only built packages has no such code
            box.wait_until(lambda: "There will be no layer of hooker" in server.log(), 60, "the layer is refused")
            self.assertIn("would run at every start", server.log())
        self.assertFalse(self.call(server, "few_words"))
        self.made(server, "few-words")
        self.assertEqual(len(self.layers(server, "list")), 1)

    def test_a_layer_lives_as_long_as_it_may(self):
        server = self.serve(SANDBOX_LAYERS_TTL="12")
        self.assertFalse(self.call(server, "few_words"))
        self.made(server, "few-words")
        self.assertTrue(self.call(server, "few_words"))
        box.wait_until(lambda: not self.call(server, "few_words"), 60, "the layer is too old")

    def test_the_layer_that_was_used_longest_ago_makes_room(self):
        server = self.serve(SANDBOX_LAYERS_SIZE="2MB")   # each has some 700 KB, and bytecode
        for name in ("one_words", "two_words"):
            self.call(server, name)
            self.made(server, name.replace("_", "-"))
        box.wait_until(lambda: len(self.layers(server, "list")) == 1, 120, "one layer is gone")
        self.assertFalse(self.call(server, "one_words"))
        self.assertTrue(self.call(server, "two_words"))

    def test_a_user_has_only_so_many_made_in_an_hour(self):
        server = self.serve(SANDBOX_LAYERS_PER_USER="1")
        self.call(server, "one_words")
        self.call(server, "two_words")
        self.call(server, "few_words", "bob")
        for name in ("one-words", "few-words"):
            self.made(server, name)
        self.assertNotIn("holds two-words", server.log())
        self.assertEqual(len(self.layers(server, "list")), 2)


class LayersOfCompiled(LayersCase):
    """A compiler finds what it links in a layer as well as an interpreter does."""
    CODE = 'package main\n\nimport (\n\t"fmt"\n\n\t"github.com/google/uuid"\n)\n\nfunc main() {\n\tfmt.Println(len(uuid.New().String()))\n}\n'

    def test_go_builds_with_a_module_of_a_layer(self):
        if box.engine_cli("image", "inspect", "codebox/sandbox-go:latest", check=False).returncode != 0:
            self.skipTest("the image of Go is not there")
        if not (pathlib.Path(box.codebox).resolve().parent.parent / "plugins" / "go.so").exists():
            self.skipTest("the plugin of Go was not built")
        hosts = ",".join(filter(None, [os.environ.get("SANDBOX_ALLOWED_HOSTS"), "*.org", "*.com"]))
        server = self.serve(SANDBOX_LANGUAGES="go", SANDBOX_ALLOWED_HOSTS=hosts,
                            SANDBOX_ENV_GO=os.environ.get("SANDBOX_ENV_GO"), SANDBOX_EXEC_TIMEOUT="180")
        for layered in (False, True):
            result = server.call("run_go", code=self.CODE, libraries=["github.com/google/uuid@v1.6.0"])
            self.assert_ran(result)
            self.assertTrue(result.text.startswith("36\n"), result.text)
            self.assertEqual("runs go on a package layer" in server.log(), layered)
            self.made(server, "github.com/google/uuid")
