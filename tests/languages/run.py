"""python3 tests/languages/run.py --codebox PATH [--engine docker|podman] [--language ID...] [-k NAME] [--real]
[--plugins FOLDER --tables FOLDER]: the same questions to every language, answered by a real server with real sandboxes. What a
language is asked lies in ID.toml, beside this file or in a plugin author's own folder. Where the
real index of a language is not to be relied on, a small one stands in for it: indexes.py tells how to add one."""
import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import tomllib
import unittest

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "cases"))

import again  # noqa: E402
import box  # noqa: E402
import indexes  # noqa: E402
import sample  # noqa: E402


WAITED = "ran it in a process that had waited"   # a server's log, at debug


class Language:
    """What all tests of one language share: its data, the one server of all of them, one more for each other network mode, and
    one that has processes waiting for programs and keeps installed packages as layers."""
    server = None
    others: dict = {}   # SANDBOX_NETWORK, or "ready" -> a server that was started for it
    settings: dict = {}
    ready_settings: dict = {}
    missing = ()   # languages whose image is not there
    indexes = None
    real = False   # whether packages come from the default indexes

    def setUp(self):
        if self.language in Language.missing:
            self.skipTest(f"the image {self.image} could not be built")

    def package(self):
        if "package" not in self.data:
            self.skipTest(f"packages cannot be named in {self.language}")
        if self.language in Language.indexes.problems:
            self.fail(Language.indexes.problems[self.language])
        row = self.data["package"]
        return row.get("real", row) if Language.real else row

    def call(self, code, server=None, **arguments):
        if self.data.get("libraries_always"):
            arguments.setdefault("libraries", self.data["libraries_always"])
        return (server or Language.server).call(f"run_{self.language}", code=code, **arguments)

    @staticmethod
    def other(name, **settings):
        if name not in Language.others:
            Language.others[name] = box.Server(**{**Language.settings, **settings}).__enter__()
            Language.others[name].wait_ready()
        return Language.others[name]

    def server_of(self, mode):
        return self.other(mode, SANDBOX_NETWORK=mode)

    def ready_server(self):
        return self.other("ready", **Language.ready_settings)

    def assert_prints(self, result, output):
        self.assertFalse(result.is_error, result.text)
        self.assertIn(output.strip("\n"), result.text)
        self.assertNotRegex(result.text, r"[Ee]xit (code|status) [1-9]")

    def test_its_sample_prints_what_the_plugin_says(self):
        code, given, output = sample.of_plugin(plugins / f"{self.language}.so")
        self.assert_prints(self.call(code, stdin=given), output)

    def test_a_program_reads_its_standard_input(self):
        row = self.data["stdin"]
        self.assert_prints(self.call(row["code"], stdin=row["input"]), row["output"])

    def test_a_file_goes_in_and_a_file_comes_out(self):
        row = self.data["files"]
        result = self.call(row["code"], input_files=[{"path": "in.txt", "text": row["input"]}])
        self.assertFalse(result.is_error, result.text)
        self.assertEqual(list(result.links), ["out.txt"], result.text)
        self.assertEqual(Language.server.fetch(result.links["out.txt"]).decode(), row["output"])

    def test_plots_come_back_as_pictures_in_order(self):
        if "plots" not in self.data:
            self.skipTest(f"nothing is drawn in {self.language}")
        row = self.data["plots"]
        result = self.call(row["code"])
        self.assertFalse(result.is_error, result.text)
        self.assertEqual(list(result.links), row["files"], result.text)
        for name in row["files"]:
            self.assertEqual(Language.server.fetch(result.links[name])[:8], b"\x89PNG\r\n\x1a\n", name)

    def test_a_package_of_its_index_is_installed_and_used(self):
        row = self.package()
        result = self.call(row["code"], libraries=row["libraries"])
        self.assert_prints(result, row["output"])

    def test_a_package_is_installed_where_programs_reach_the_listed_index(self):
        if options.engine == "podman":
            self.skipTest("packages with SANDBOX_NETWORK=allowlist are tried on Docker, since the tunnel is the same")
        row = self.package()
        result = self.call(row["code"], self.server_of("allowlist"), libraries=row["libraries"])
        self.assert_prints(result, row["output"])

    def test_a_package_is_refused_with_the_setting_where_there_is_no_network(self):
        row = self.package()
        result = self.call(row["code"], self.server_of("none"), libraries=row["libraries"])
        self.assertTrue(result.is_error, result.text)
        self.assertIn("SANDBOX_NETWORK", result.text)
        self.assertLess(result.took, 60)

    def test_a_package_that_no_index_has_is_named(self):
        row = self.package()
        name = row.get("unknown", "codebox-has-no-such-package")
        result = self.call(row["code"], libraries=[name])
        self.assertTrue(result.is_error, result.text)
        self.assertIn(name, result.text)

    def has_waiting(self):
        """Whether a process waits now, of which the server tells once in a second."""
        try:
            kinds = json.loads((self.ready_server().state / "state" / "pool").read_text())["kinds"]
        except (OSError, ValueError):   # it is being written
            return False
        return any(kind["language"] == self.language and kind["preloaded"] for kind in kinds)

    def of_waiting(self, row):
        """What a process gives that had waited. What the server told may have been about the one before."""
        def tried():
            box.wait_until(self.has_waiting, 120, f"a process of {self.language} waits")
            before = self.ready_server().log().count(WAITED)
            result = self.seen(self.ready_server(), row)
            return result if self.ready_server().log().count(WAITED) > before else None

        return box.wait_until(tried, 120, "a call gets a process that had waited")

    def seen(self, server, row):
        """All that a caller sees of a program, but for its duration and where its files lie."""
        result = server.call(f"run_{self.language}", code=row["code"], **({"stdin": row["stdin"]} if "stdin" in row else {}))
        text = re.sub(r"\]\([^)]*\)", "]()", re.sub(r"\b[0-9.]+ s\b", "? s", result.text))
        return {"error": result.is_error, "text": text, "images": len(result.images),
                "files": {name: hashlib.sha256(server.fetch(link)).hexdigest() for name, link in result.links.items()}}

    def test_a_program_cannot_tell_that_its_process_had_waited(self):
        if "waiting" not in self.data:
            self.skipTest(f"no process of {self.language} waits")
        for row in self.data["waiting"]:
            with self.subTest(row["name"]):
                fresh = self.seen(Language.server, row)
                self.assertIn(row["output"], fresh["text"])
                self.assertEqual(fresh, self.of_waiting(row))

    def test_calls_that_come_while_a_process_gets_ready_are_right(self):
        if "waiting" not in self.data:
            self.skipTest(f"no process of {self.language} waits")
        row = self.data["stdin"]
        box.wait_until(self.has_waiting, 120, f"a process of {self.language} waits")
        # Each call sets off the next process, which the next call finds at another stage of its start.
        for call in range(12):
            time.sleep(call * 0.03)
            result = self.ready_server().call(f"run_{self.language}", code=row["code"], stdin=row["input"])
            self.assert_prints(result, row["output"])

    def test_a_package_comes_as_a_layer_once_it_was_installed(self):
        if not self.data.get("package", {}).get("layer"):
            self.skipTest(f"layers of {self.language} are not asked for")
        row, server = self.package(), self.ready_server()
        from_layers = []
        for _ in range(2):
            self.assert_prints(server.call(f"run_{self.language}", code=row["code"], libraries=row["libraries"]), row["output"])
            box.wait_until(lambda: f"holds {row['libraries'][0]}" in server.log(), 120, "the layer is made")
            from_layers.append(server.log().count(f"runs {self.language} on a package layer"))
        self.assertGreater(from_layers[1], from_layers[0])

    def test_the_images_packages_are_listed(self):
        if "listing" not in self.data:
            self.skipTest(f"packages are not listed in {self.language}")
        result = Language.server.call(f"list_{self.language}_packages")
        self.assertFalse(result.is_error, result.text)
        for word in self.data["listing"]["words"]:
            self.assertIn(word, result.text)

    def test_an_error_says_the_programs_own_line(self):
        row = self.data["error"]
        result = self.call(row["code"])
        self.assertFalse(result.is_error, result.text)
        for word in row["words"]:
            self.assertIn(word, result.text)

    def test_a_program_that_never_ends_is_ended_and_said_to_be(self):
        result = self.call(self.data["timeout"]["code"], timeout=self.data["timeout"].get("seconds", 5))
        self.assertFalse(result.is_error, result.text)
        self.assertRegex(result.text.lower(), "time")
        self.assertLess(result.took, 60)

    def test_an_endless_output_is_cut_and_the_call_ends(self):
        row = self.data["endless"]
        result = self.call(row["code"], timeout=row.get("seconds", 5))
        self.assertFalse(result.is_error, result.text[:500])
        self.assertIn("0123456789", result.text)
        self.assertLess(len(result.text), 200_000)
        self.assertLess(result.took, 60)


class Bridged:
    """The installers of two languages go through the tunnel, also where the program has a network of its own."""

    def test_a_package_is_installed_where_programs_have_a_bridge(self):
        if options.engine != "docker":
            self.skipTest("bridges are tried on Docker")
        row = self.package()
        name = f"codebox-test-{os.getpid()}"
        made = box.engine_cli("network", "create", "--label", "codebox.test=1", name, check=False)
        if made.returncode:
            self.skipTest(f"this engine makes no bridge: {made.stderr.strip()}")
        box.engine_cli("network", "rm", name)
        result = self.call(row["code"], self.server_of("full"), libraries=row["libraries"])
        self.assert_prints(result, row["output"])


def tests_of(language: str) -> type:
    data = tomllib.loads((tables / f"{language}.toml").read_text(encoding="utf-8"))
    return type(f"{language.capitalize()}Test", (*([Bridged] if language in ("python", "javascript") else []), Language, unittest.TestCase), {
        "language": language, "data": data, "image": sample.image_of(plugins / f"{language}.so")})


def suite(languages, keywords):
    loader = unittest.TestLoader()
    if keywords:
        loader.testNamePatterns = [f"*{keyword}*" for keyword in keywords]
    return unittest.TestSuite(loader.loadTestsFromTestCase(tests_of(language)) for language in languages)


parser = argparse.ArgumentParser()
parser.add_argument("--codebox", required=True)
parser.add_argument("--engine", choices=("docker", "podman"), default="docker")
parser.add_argument("--language", action="append", default=[])
parser.add_argument("--real", action="store_true")
parser.add_argument("-k", dest="keywords", action="append", default=[])
parser.add_argument("--plugins", type=pathlib.Path)
parser.add_argument("--tables", type=pathlib.Path, default=here)
options = parser.parse_args()
box.codebox, box.engine = os.path.abspath(options.codebox), options.engine
tables = options.tables
plugins = pathlib.Path(box.codebox).parent.parent / "plugins"
if options.plugins:
    plugins = options.plugins.resolve()
    os.environ["PLUGIN_DIR"] = str(plugins)
chosen = options.language or sorted(path.stem for path in tables.glob("*.toml"))
Language.missing = {language for language in chosen if box.engine_cli(
    "image", "inspect", sample.image_of(plugins / f"{language}.so"), check=False).returncode}
there = [language for language in chosen if language not in Language.missing]
settings = {f"SANDBOX_ENV_{language.upper()}": os.environ[f"SANDBOX_ENV_{language.upper()}"] for language in there
            if f"SANDBOX_ENV_{language.upper()}" in os.environ}
Language.real = options.real
with indexes.Indexes(options.engine) as Language.indexes:
    for language in there:
        index = tests_of(language).data.get("index")
        if index is not None and not options.real and f"SANDBOX_ENV_{language.upper()}" not in settings:
            Language.indexes.add(language, index, tests_of(language).image)
    settings.update(Language.indexes.settings)
    # Where an index has a private address on this network, it has to be listed. Which hosts an index has is its own matter.
    hosts = ",".join(filter(None, [os.environ.get("SANDBOX_ALLOWED_HOSTS"), Language.indexes.address, "*.org", "*.io", "*.com",
                                   "*.dev"]))
    Language.settings = {"SANDBOX_ALLOWED_HOSTS": hosts, "SANDBOX_LANGUAGES": ",".join(there) or "python",
                         "SANDBOX_PULL": "never", "SANDBOX_EXEC_TIMEOUT": "120", "MAX_CONCURRENT_SANDBOXES_PER_USER": "4",
                         **settings}
    waiting = {f"SANDBOX_POOL_SIZE_{language.upper()}": "1" for language in there if "waiting" in tests_of(language).data}
    # Enough for all languages at once, each with what the calls just before have asked for.
    Language.ready_settings = {"LOG_LEVEL": "debug", "SANDBOX_PACKAGE_LAYERS": "true", "SANDBOX_POOL_MEMORY": "4GB",
                               "SANDBOX_MAX_TOTAL_MEMORY": "100GB", **waiting}
    with box.Server(**Language.settings) as server:
        server.wait_ready()
        Language.server = server
        try:
            status = again.run_counted(lambda: suite(chosen, options.keywords), os.fdopen(1, "w", buffering=1, closefd=False))
        finally:
            for other in Language.others.values():
                other.end()   # what waits on a layer holds it
                subprocess.run([box.codebox, "layers", "prune"], env=other.environment, cwd=other.state, capture_output=True,
                               timeout=120)
                other.stop()
sys.exit(status)
