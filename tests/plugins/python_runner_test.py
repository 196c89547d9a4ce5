"""What the Python plugin's support files promise, tried with this Python; argv[1] is their folder."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

SOURCES = sys.argv.pop(1)
# As much of matplotlib as the figure keeper touches, for machines that have none.
FAKE = {
    "matplotlib/__init__.py": "",
    "matplotlib/figure.py": """
class Canvas:
    def __init__(self, figure):
        self.figure = figure
class Figure:
    def __init__(self, name):
        self.name = name
        self.canvas = Canvas(self)
    def savefig(self, path, **options):
        with open(path, "w") as file:
            file.write(self.name)
""",
    "matplotlib/_pylab_helpers.py": """
class Gcf:
    figs = {}
    @classmethod
    def get_all_fig_managers(cls):
        return list(cls.figs.values())
    @classmethod
    def destroy(cls, number):
        cls.figs.pop(number, None)
""",
    "matplotlib/pyplot.py": """
from matplotlib._pylab_helpers import Gcf
from matplotlib.figure import Figure
class Manager:
    def __init__(self, number, canvas):
        self.num, self.canvas = number, canvas
def figure(name):
    made = Figure(name)
    number = max(Gcf.figs, default=0) + 1
    Gcf.figs[number] = Manager(number, made.canvas)
    return made
def show():
    raise AssertionError("nothing is shown here")
""",
}


class Runner(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        self.support = os.path.join(self.root, "support")
        os.mkdir(self.support)
        for name in os.listdir(SOURCES):
            if name.endswith(".py"):
                shutil.copy(os.path.join(SOURCES, name), self.support)
        self.work = os.path.join(self.root, "sandbox")
        self.output = os.path.join(self.work, "output")
        os.mkdir(self.work)

    def write(self, name, text):
        path = os.path.join(self.work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        return path

    def python(self, *arguments, **more):
        env = {"PATH": os.environ["PATH"], "HOME": self.root, "LANG": "C.UTF-8"}
        env.update(more.pop("env", {}))
        return subprocess.run(
            [more.pop("interpreter", sys.executable), "-u", "-B", self.support, *arguments],
            cwd=self.work,
            env=env,
            input=more.pop("input", ""),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=120,
        )

    def run_program(self, text, **more):
        return self.python("run", self.write("main.py", text), **more)

    def test_output_input_and_success(self):
        done = self.run_program("import sys\nprint('世界 🎉', sys.stdin.read())", input="in")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("世界 🎉 in\n", "", 0))

    def test_the_program_sees_itself_as_python_would_start_it(self):
        program = """
            import sys, __main__
            print(__name__, __file__, sys.argv, sys.path[0], __spec__, __doc__)
            print(__main__.__dict__ is globals())
            print(sorted(name for name in globals() if not name.startswith('__')))
            print([name for name in sys.modules if 'codebox' in name])
            print([path for path in sys.path if 'support' in path])
            """
        path = self.write("main.py", program)
        plain = subprocess.run(
            [sys.executable, "-u", "-B", path], cwd=self.work, stdout=subprocess.PIPE, encoding="utf-8"
        )
        self.assertEqual(self.run_program(program).stdout, plain.stdout)

    def test_a_traceback_is_the_program_s_own(self):
        program = "def f():\n    return 1 / 0\n\n\nf()\n"
        path = self.write("main.py", program)
        plain = subprocess.run(
            [sys.executable, "-B", path], cwd=self.work, stderr=subprocess.PIPE, encoding="utf-8"
        )
        done = self.run_program(program)
        self.assertEqual(done.stderr, plain.stderr)
        self.assertEqual(done.returncode, 1)
        self.assertIn('main.py", line 2, in f', done.stderr)

    def test_a_syntax_error_is_the_program_s_own(self):
        path = self.write("main.py", "x = 1\nif x\n    pass\n")
        plain = subprocess.run(
            [sys.executable, "-B", path], cwd=self.work, stderr=subprocess.PIPE, encoding="utf-8"
        )
        done = self.python("run", path)
        self.assertEqual(done.stderr, plain.stderr)
        self.assertEqual(done.returncode, 1)

    def test_chained_exceptions_show_no_frame_of_ours(self):
        done = self.run_program(
            "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('x') from e\n"
        )
        self.assertNotIn("codebox", done.stderr)
        self.assertNotIn("runpy", done.stderr)
        self.assertIn("direct cause", done.stderr)

    def test_exit_codes(self):
        for text, code in (
            ("import sys; sys.exit(7)", 7),
            ("raise SystemExit('bye')", 1),
            ("import os; os._exit(3)", 3),
            ("import sys; sys.exit()", 0),
            ("raise KeyboardInterrupt", -2),
        ):
            done = self.run_program(text)
            self.assertIn(done.returncode, (code, 130 if code == -2 else code), text)
        self.assertEqual(self.run_program("raise SystemExit('bye')").stderr, "bye\n")

    def test_an_own_excepthook_is_called(self):
        done = self.run_program(
            "import sys\nsys.excepthook = lambda *e: print('mine', e[0].__name__)\n1 / 0\n"
        )
        self.assertEqual((done.stdout, done.stderr), ("mine ZeroDivisionError\n", ""))

    def test_our_names_shadow_nothing(self):
        for name in ("run", "list", "install", "_codebox_run", "_codebox_figures", "_codebox_packages"):
            self.write(name + ".py", "value = %r" % name)
        done = self.run_program(
            "import run, install, _codebox_run, _codebox_figures, _codebox_packages as p\n"
            "print(run.value, install.value, _codebox_run.value, _codebox_figures.value, p.value)"
        )
        self.assertEqual(
            done.stdout, "run install _codebox_run _codebox_figures _codebox_packages\n", done.stderr
        )

    def test_modules_beside_the_program_are_found(self):
        self.write("helper.py", "answer = 42")
        self.write("calendar.py", "answer = 'mine'")
        self.assertEqual(
            self.run_program("import helper, calendar; print(helper.answer, calendar.answer)").stdout,
            "42 mine\n",
        )

    def test_future_imports_annotations_and_encodings_are_the_program_s(self):
        done = self.run_program("from __future__ import annotations\nx: Nothing = 1\nprint(__annotations__)")
        self.assertEqual(done.stdout, "{'x': 'Nothing'}\n", done.stderr)
        with open(os.path.join(self.work, "main.py"), "wb") as file:
            file.write(b"# -*- coding: latin-1 -*-\r\nprint('\xe9')\r\n")
        self.assertEqual(self.python("run", os.path.join(self.work, "main.py")).stdout, "é\n")

    def test_multiprocessing_and_pickle_find_main(self):
        for how in ("fork", "spawn", "forkserver"):
            done = self.run_program("""
                import multiprocessing, pickle
                class Point:
                    def __init__(self, x): self.x = x
                def double(point): return Point(point.x * 2)
                if __name__ == '__main__':
                    with multiprocessing.get_context(%r).Pool(2) as pool:
                        print([p.x for p in pool.map(double, [Point(1), Point(2)])])
                    print(pickle.loads(pickle.dumps(Point(5))).x)
                """ % how)
            self.assertEqual(done.stdout, "[2, 4]\n5\n", how + done.stderr)

    def test_inspect_finds_the_source(self):
        done = self.run_program("import inspect\ndef f():\n    return 1\nprint(inspect.getsource(f))")
        self.assertIn("return 1", done.stdout, done.stderr)

    def fake_matplotlib(self):
        for name, text in FAKE.items():
            self.write(name, text)

    def figures(self):
        found = []
        for name in sorted(os.listdir(self.output)) if os.path.isdir(self.output) else []:
            with open(os.path.join(self.output, name)) as file:
                found.append((name, file.read()))
        return found

    def test_figures_left_open_are_saved_in_order(self):
        self.fake_matplotlib()
        done = self.run_program("import matplotlib.pyplot as plt\nfor n in 'abcd': plt.figure(n)")
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.figures(), [("figure-%d.png" % (i + 1), n) for i, n in enumerate("abcd")])

    def test_show_saves_and_closes(self):
        self.fake_matplotlib()
        done = self.run_program(
            "from matplotlib import pyplot as plt\n"
            "for n in 'ab':\n    plt.figure(n)\n    plt.show()\nplt.figure('c')"
        )
        self.assertEqual(done.stderr, "")
        self.assertEqual(
            self.figures(), [("figure-1.png", "a"), ("figure-2.png", "b"), ("figure-3.png", "c")]
        )

    def test_what_the_program_saved_is_not_saved_twice(self):
        self.fake_matplotlib()
        self.run_program(
            "import matplotlib.pyplot as plt, os\nos.mkdir('output')\n"
            "plt.figure('a').savefig('output/mine.png')\n"
            "plt.figure('b')\nplt.show()"
        )
        self.assertEqual(self.figures(), [("figure-1.png", "b"), ("mine.png", "a")])

    def test_a_figure_saved_into_memory_still_comes_back(self):
        self.fake_matplotlib()
        self.run_program(
            "import matplotlib.pyplot as plt, os\nplt.figure('a').savefig(os.open(os.devnull, os.O_WRONLY))"
        )
        self.assertEqual(self.figures(), [("figure-1.png", "a")])

    def test_figures_survive_an_exception_and_overwrite_nothing(self):
        self.fake_matplotlib()
        self.write("output/figure-1.png", "there before")
        done = self.run_program("import matplotlib.pyplot as plt\nplt.figure('a')\n1 / 0")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.figures(), [("figure-1.png", "there before"), ("figure-2.png", "a")])

    def test_a_figure_is_named_after_its_title(self):
        figures = {}
        with open(os.path.join(SOURCES, "_codebox_figures.py"), encoding="utf-8") as file:
            exec(file.read(), figures)
        slug = figures["slug"]
        self.assertEqual(slug("Revenue by month (EUR)"), "-revenue-by-month-eur")
        self.assertEqual(slug("月別 売上"), "-月別-売上")
        self.assertEqual(slug("../$!"), "")
        self.assertLessEqual(len(slug("é" * 200).encode()), 61)

    def test_four_figures_of_the_real_matplotlib(self):
        done = self.run_program("""
            import matplotlib.pyplot as plt
            for n in range(4):
                plt.figure()
                plt.plot([n, n + 1])
            plt.show()
            """)
        if "No module named 'matplotlib'" in done.stderr:
            self.skipTest("skipped: this Python has no matplotlib")
        self.assertEqual(sorted(os.listdir(self.output)), ["figure-%d.png" % n for n in (1, 2, 3, 4)])

    def test_the_list_is_json_by_name(self):
        done = self.python("list")
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        packages = json.loads(done.stdout)
        names = [package["name"].lower().replace("_", "-").replace(".", "-") for package in packages]
        self.assertEqual(names, sorted(names))
        self.assertTrue(all(package["version"] for package in packages))

    def wheel(self, name, version, requires=()):
        """A package with a module and a console script, made by hand, in a folder that serves as an index."""
        import zipfile

        index = os.path.join(self.root, "index")
        os.makedirs(index, exist_ok=True)
        info = "%s-%s.dist-info/" % (name, version)
        with zipfile.ZipFile(os.path.join(index, "%s-%s-py3-none-any.whl" % (name, version)), "w") as wheel:
            wheel.writestr(name + ".py", "version = %r\ndef main(): print('ran', version)\n" % version)
            wheel.writestr(
                info + "METADATA",
                "Metadata-Version: 2.1\nName: %s\nVersion: %s\n%s"
                % (name, version, "".join("Requires-Dist: %s\n" % r for r in requires)),
            )
            wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(info + "entry_points.txt", "[console_scripts]\n%s-run = %s:main\n" % (name, name))
            wheel.writestr(info + "RECORD", "")
        return index

    def test_installed_packages_and_their_commands_are_found(self):
        self.need_pip()
        prefix = os.path.join(self.root, "packages")
        env = self.index_env(self.wheel("codeboxdemo", "1.5"), prefix)
        done = self.python("install", prefix, "codeboxdemo==1.*", env=env)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        program = (
            "import codeboxdemo, subprocess\n"
            "print(codeboxdemo.version)\n"
            "subprocess.run(['codeboxdemo-run'])\n"
        )
        done = self.run_program(program, env={"PYTHONUSERBASE": prefix})
        self.assertEqual(done.stdout, "1.5\nran 1.5\n", done.stderr)
        done = self.python("install", prefix, "codeboxmissing", env=env)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("codeboxmissing", done.stderr)

    def need_pip(self):
        if subprocess.run([sys.executable, "-m", "pip", "--version"], stdout=subprocess.PIPE).returncode != 0:
            self.skipTest("skipped: this Python has no pip")

    def index_env(self, index, prefix):
        return {
            "PYTHONUSERBASE": prefix,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": index,
            "PIP_BREAK_SYSTEM_PACKAGES": "1",
        }

    def test_an_install_keeps_the_image_s_packages_or_names_the_conflict(self):
        self.need_pip()
        prefix = os.path.join(self.root, "packages")
        image = os.path.join(self.root, "image")
        self.wheel("codeboxlib", "1.0")
        self.wheel("codeboxlib", "2.0")
        self.wheel("codeboxapp", "1.0", ["codeboxlib"])
        index = self.wheel("codeboxapp", "2.0", ["codeboxlib>=2"])
        shutil.unpack_archive(os.path.join(index, "codeboxlib-1.0-py3-none-any.whl"), image, "zip")
        env = dict(self.index_env(index, prefix), PYTHONPATH=image)
        done = self.python("install", prefix, "codeboxapp==1.*", env=env)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        program = "import codeboxapp, codeboxlib\nprint(codeboxapp.version, codeboxlib.version)"
        done = self.run_program(program, env={"PYTHONUSERBASE": prefix, "PYTHONPATH": image})
        self.assertEqual(done.stdout, "1.0 1.0\n", done.stderr)
        done = self.python("install", prefix, "codeboxapp==2.*", env=env)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("codeboxlib==1.0", done.stdout + done.stderr)

    def test_a_virtual_environment_gets_packages_too(self):
        self.need_pip()
        home = os.path.join(self.root, "venv")
        if subprocess.run([sys.executable, "-m", "venv", home], stdout=subprocess.DEVNULL).returncode != 0:
            self.skipTest("skipped: this Python makes no virtual environments")
        interpreter = os.path.join(home, "bin", "python3")
        prefix = os.path.join(self.root, "packages")
        env = self.index_env(self.wheel("codeboxdemo", "1.5"), prefix)
        done = self.python("install", prefix, "codeboxdemo", env=env, interpreter=interpreter)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        path = self.write("main.py", "import codeboxdemo, subprocess\nsubprocess.run(['codeboxdemo-run'])\n")
        done = self.python("run", path, env={"PYTHONUSERBASE": prefix}, interpreter=interpreter)
        self.assertEqual(done.stdout, "ran 1.5\n", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
