"""One plugin, three languages, compilers that are not the server's, against an SDK that was installed."""
import pathlib
import shutil
import subprocess
import unittest

import box
import folder
import load
from plugins_reload import JOINS_WITHIN, seconds_until, tools

SOURCES = pathlib.Path(__file__).resolve().parent / "outside"


def run(*words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise AssertionError(f"{words} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def compiles(*words, source) -> bool:
    """Whether this compiler is here with all that the options name."""
    if not shutil.which(words[0]):
        return False
    return subprocess.run([*words, "-fsyntax-only", "-"], input=source, capture_output=True, text=True).returncode == 0


class Outside(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = folder.temporary()
        cls.place = place.__enter__()
        cls.addClassCleanup(place.__exit__, None, None, None)
        cls.sdk = cls.place / "prefix"
        run("cmake", "-S", folder.ROOT / "sdk", "-B", cls.place / "sdk")
        run("cmake", "--install", cls.place / "sdk", "--prefix", cls.sdk)

    def library(self, name) -> pathlib.Path:
        return self.place / f"{name}.so"

    def build_c(self):
        if not compiles("clang", "-xc", source="int x;"):
            self.skipTest("skipped: clang is not installed")
        run("clang", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden",
            f"-I{self.sdk}/include", "-o", self.library("c"), folder.ROOT / "sdk" / "template" / "lua.c")
        return self.library("c")

    def build_cpp(self):
        words = ["clang++", "-std=c++20", "-stdlib=libc++"]
        if not compiles(*words, "-xc++", source="#include <string>\n"):
            self.skipTest("skipped: clang++ with libc++ is not installed")
        run(*words, "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{self.sdk}/include",
            "-o", self.library("cpp"), SOURCES / "lua.cpp")
        return self.library("cpp")

    def build_rust(self):
        if not shutil.which("rustc"):
            self.skipTest("skipped: rustc is not installed")
        run("rustc", "-O", "-o", self.library("rust"), SOURCES / "lua.rs")
        return self.library("rust")

    def check(self, library):
        library.chmod(0o644)
        status, answer = folder.check(library)
        self.assertEqual((status, answer["findings"]), (0, []), answer)
        language = answer["language"]
        self.assertEqual((language["id"], language["run"]["argv"], language["sample"]["output"]),
                         ("lua", ["lua", "{source}"], "42\n"))

    def test_in_plain_c_by_clang(self):
        self.check(self.build_c())

    def test_in_cpp_by_clang_with_libcxx(self):
        library = self.build_cpp()
        self.check(library)
        self.assertIn("libc++.so", run("readelf", "-d", library))

    def test_in_rust(self):
        self.check(self.build_rust())

    def test_the_template_builds_alone_with_another_compiler(self):
        if not shutil.which("clang"):
            self.skipTest("skipped: clang is not installed")
        shutil.copytree(folder.ROOT / "sdk" / "template", self.place / "template")
        run("cmake", "-S", self.place / "template", "-B", self.place / "build", f"-DCMAKE_PREFIX_PATH={self.sdk}",
            "-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++")
        run("cmake", "--build", self.place / "build")
        self.check(self.place / "build" / "lua.so")

    def test_a_plugin_of_another_compiler_joins_a_running_server_within_two_seconds_under_load(self):
        library = self.build_cpp()
        with folder.temporary() as plugins:
            folder.put(folder.built("conformance"), plugins / "conformance.so")
            with box.Server(PLUGIN_DIR=str(plugins), SANDBOX_LANGUAGES=None) as server:
                self.assertNotIn("run_lua", tools(server))
                kinds = {"lists": lambda: "run_conformance" in tools(server),
                         "own tools": lambda: server.call("test_simple_text").text.startswith("This is a simple text")}
                with load.Load(kinds).running(clients_of_each=2) as clients:
                    folder.put(library, plugins / "lua.so")
                    took = seconds_until(lambda: "run_lua" in tools(server), "run_lua is there")
                clients.report(f"run_lua was there after {took:.2f} s")
                self.assertEqual(clients.lost, [])
                self.assertLess(took, JOINS_WITHIN)


if __name__ == "__main__":
    unittest.main()
