"""python3 tests/languages/run.py --codebox PATH [--engine docker|podman] [--language ID...] [-k NAME] [--real]: the same
questions to every language, answered by a real server with real sandboxes. What a language is asked lies in ID.toml. Where the
real index of a language is not to be relied on, a small one stands in for it: indexes.py tells how to add one."""
import argparse
import os
import pathlib
import sys
import tomllib
import unittest

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "cases"))

import again  # noqa: E402
import box  # noqa: E402
import indexes  # noqa: E402
import sample  # noqa: E402


class Language:
    """What all tests of one language share: its data, the one server of all of them, and one more for each other network mode."""
    server = None
    modes: dict = {}   # SANDBOX_NETWORK -> a server that was started for it
    settings: dict = {}
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

    def server_of(self, mode):
        if mode not in Language.modes:
            server = Language.modes[mode] = box.Server(SANDBOX_NETWORK=mode, **Language.settings).__enter__()
            server.wait_ready()
        return Language.modes[mode]

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

    def test_the_images_packages_are_listed(self):
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
    data = tomllib.loads((here / f"{language}.toml").read_text(encoding="utf-8"))
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
options = parser.parse_args()
box.codebox, box.engine = os.path.abspath(options.codebox), options.engine
plugins = pathlib.Path(box.codebox).parent.parent / "plugins"
chosen = options.language or sorted(path.stem for path in here.glob("*.toml"))
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
    with box.Server(**Language.settings) as server:
        server.wait_ready()
        Language.server = server
        try:
            status = again.run_counted(lambda: suite(chosen, options.keywords), os.fdopen(1, "w", buffering=1, closefd=False))
        finally:
            for other in Language.modes.values():
                other.stop()
sys.exit(status)
