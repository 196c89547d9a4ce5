"""Files in and out: names unchanged, nothing followed, nothing overwritten in silence."""
import pathlib

import box

NAMES = ["Simple – Générer.js", "数据 表.csv", "it's \"quoted\" (1).txt", "é" * 125 + ".text"]
COPY = """
import os, sys
for name in {names!r}:
    with open(name, encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join("/sandbox/output", name), "w", encoding="utf-8") as file:
        file.write("out:" + text)
print("copied")
"""


class Names(box.Case):
    def test_names_pass_unchanged_both_ways(self):
        for name in NAMES:
            with self.subTest(name):
                result = self.run_python(COPY.format(names=[name]), input_files=[{"path": name, "text": "in " + name}])
                self.assert_ran(result)
                self.assertIn("copied", result.text)
                self.assertEqual(len(result.links), 1, result.text)
                shown, link = next(iter(result.links.items()))
                self.assertEqual(shown.replace("\\", ""), name)
                self.assertEqual(self.server.fetch(link).decode(), "out:in " + name)

    def test_any_number_of_inputs_each_at_its_path(self):
        files = [{"path": f"data/part {n}/file.txt", "text": f"part {n}"} for n in range(12)]
        files.append({"path": "/tmp/raw.bin", "base64": "AAH/"})
        result = self.run_python(
            'import glob\nfor path in sorted(glob.glob("data/*/file.txt")):\n    print(open(path).read())\n'
            'print(open("/tmp/raw.bin", "rb").read())', input_files=files)
        self.assert_ran(result)
        for n in range(12):
            self.assertIn(f"part {n}", result.text)
        self.assertIn("b'\\x00\\x01\\xff'", result.text)

    def test_two_inputs_for_one_path_are_refused(self):
        result = self.run_python('print("ran")', input_files=[{"path": "a.txt", "text": "1"}, {"path": "/sandbox/a.txt", "text": "2"}])
        self.assert_refused(result, "a.txt")

    def test_an_input_at_the_programs_own_path_changes_no_program(self):
        first = self.run_python("import os\nprint(os.path.basename(__file__))")
        own = next(word for word in first.text.split() if word.endswith(".py"))
        result = self.run_python('print("mine")', input_files=[{"path": own, "text": 'print("theirs")'}])
        self.assertNotIn("theirs\n", result.text)
        self.assert_refused(result, own)

    def test_two_outputs_of_one_name_are_both_there_or_both_named(self):
        result = self.run_python(
            'import os\nfor folder in "ab":\n    os.mkdir(folder)\n    open(folder + "/x.txt", "w").write(folder.upper())',
            output_files=["a/x.txt", "b/x.txt"])
        self.assert_ran(result)
        bodies = {self.server.fetch(link) for link in result.links.values()}
        if bodies != {b"A", b"B"}:
            self.assertEqual(len(bodies), 1)
            self.assertRegex(result.text, r"not returned.*[ab]/x\.txt")

    def test_an_unknown_input_means_no_run(self):
        said = set()
        for reference in ("11111111-2222-4333-8444-555555555555", "99999999-2222-4333-8444-555555555555"):
            result = self.run_python('print("it " + "ran")', input_files=[
                {"path": "a.txt", "text": "1"}, {"id": reference, "path": "b.txt"}, {"path": "c.txt", "text": "3"}])
            self.assert_refused(result)
            self.assertNotIn("it ran", result.text)
            said.add(result.text.replace(reference, "ID"))
        self.assertEqual(len(said), 1)

    def test_an_input_larger_than_the_limit_is_refused_by_name(self):
        with box.Server(SANDBOX_MAX_FILE_SIZE="1000") as server:
            server.wait_ready()
            result = server.call(code="print(1)", input_files=[{"path": "big.txt", "text": "x" * 1001}])
            self.assert_refused(result, "big.txt", "SANDBOX_MAX_FILE_SIZE")
            result = server.call(code='open("/sandbox/output/big.txt", "w").write("x" * 1001)\nprint("ran")')
            self.assert_ran(result)
            self.assertIn("ran", result.text)
            self.assertIn("SANDBOX_MAX_FILE_SIZE", result.text)
            self.assertEqual(result.links, {})


class Paths(box.Case):
    def test_inputs_outside_the_writable_places_are_refused_by_name(self):
        for path in ("../../etc/passwd", "/etc/passwd", "a/../../b", "/usr/lib/x.py", "/packages/../etc/x", "a\x00b", ""):
            with self.subTest(path):
                result = self.run_python('print("it " + "ran")', input_files=[{"path": path, "text": "x"}])
                if path:
                    self.assert_refused(result)
                    self.assertNotIn("it ran", result.text)
                if path and "\x00" not in path:
                    self.assertIn(path, result.text)

    def test_a_path_with_shell_signs_is_only_a_path(self):
        path = "x; touch pwned; echo"
        result = self.run_python('import os\nprint(sorted(os.listdir(".")))', input_files=[{"path": path, "text": "x"}])
        self.assert_ran(result)
        self.assertIn(path, result.text)
        self.assertNotIn("'pwned'", result.text)

    def test_outputs_outside_the_writable_places_are_refused_by_name(self):
        for path in ("/etc/passwd", "../../etc/passwd", "/proc/1/environ", "/sandbox/../etc/*"):
            with self.subTest(path):
                result = self.run_python("print(1)", output_files=[path])
                self.assertIn(path, result.text)
                self.assertEqual(result.links, {})
                self.assertNotIn("root:x:", result.text)


class Kinds(box.Case):
    def test_only_regular_files_come_out(self):
        result = self.run_python(
            'import os\nos.chdir("/sandbox/output")\nopen("good.txt", "w").write("good")\n'
            'os.symlink("/etc/passwd", "link.txt")\nos.symlink("/etc", "linked")\nos.mkfifo("fifo.txt")\n'
            'os.mkdir("folder.txt")\nopen("sparse.bin", "w").truncate(1 << 40)\nprint("made")', timeout=50)
        self.assert_ran(result)
        self.assertIn("made", result.text)
        self.assertEqual(set(result.links), {"good.txt"}, result.text)
        self.assertEqual(self.server.fetch(result.links["good.txt"]), b"good")
        for name in ("link.txt", "fifo.txt", "sparse.bin"):
            self.assertIn(name, result.text)
        self.assertLess(result.took, 60)

    def test_a_folder_that_the_program_shut_is_named(self):
        result = self.run_python("import os\nfor name in ('output/shut', 'output/open'):\n    os.mkdir(name)\n"
                                 "    open(name + '/a.txt', 'w').write('x')\nos.chmod('output/shut', 0)")
        self.assert_ran(result)
        self.assertEqual(list(result.links), ["a.txt"])
        self.assertIn("[not returned] /sandbox/output/shut: is a folder that its owner may not open", result.text)
        result = self.run_python("import os\nopen('output/a.txt', 'w').write('x')\nos.chmod('output', 0)")
        self.assertIn("[not returned] /sandbox/output: is a folder that its owner may not open", result.text)

    def test_outputs_by_glob_and_folder(self):
        result = self.run_python(
            'import os\nos.makedirs("out/deep")\nopen("out/a.csv", "w").write("a")\nopen("out/deep/b.csv", "w").write("b")\n'
            'open("out/c.txt", "w").write("c")', output_files=["out/**/*.csv"])
        self.assert_ran(result)
        self.assertEqual({self.server.fetch(link) for link in result.links.values()}, {b"a", b"b"}, result.text)

    def test_an_output_that_is_not_there_is_named_and_the_others_arrive(self):
        result = self.run_python('open("a.txt", "w").write("a")\nopen("empty.txt", "w").close()',
                                 output_files=["a.txt", "missing.txt", "empty.txt"])
        self.assert_ran(result)
        self.assertIn("a.txt", result.links)
        self.assertIn("missing.txt", result.text)
        self.assertIn("empty.txt", result.text)

    def test_a_file_that_is_still_written_does_not_hang_the_call(self):
        result = self.run_python(
            'import subprocess, time\nsubprocess.Popen(["sh", "-c", "while :; do date >> /sandbox/output/log.txt; done"])\n'
            'time.sleep(0.5)\nprint("ended")', timeout=50)
        self.assert_ran(result)
        self.assertIn("ended", result.text)
        self.assertIn("log.txt", result.text)
        self.assertLess(result.took, 60)

    def test_our_program_file_shadows_no_module(self):
        result = self.run_python(
            "import sys, os\nname = os.path.basename(__file__)[:-3]\nprint(name in sys.stdlib_module_names)\n"
            'import code, random\nprint(all("/sandbox" not in m.__file__ for m in (code, random)))')
        self.assert_ran(result)
        self.assertIn("False", result.text)
        self.assertIn("True", result.text)
        self.assertEqual(result.links, {}, "the program file came back")


class Pictures(box.Case):
    def test_matplotlib_finds_a_writable_home_and_its_picture_comes_back(self):
        result = self.run_python(
            'import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.savefig("/sandbox/output/plot.png")\n'
            'import os\nopen(os.path.expanduser("~/note"), "w").write("x")\nprint("home is writable")')
        self.assert_ran(result)
        self.assertIn("home is writable", result.text)
        self.assertIn("plot.png", result.links)
        self.assertTrue(self.server.fetch(result.links["plot.png"]).startswith(b"\x89PNG"))
        self.assertEqual([kind for kind, _ in result.images], ["image/png"])
        self.assertTrue(result.images[0][1].startswith(b"\x89PNG"))

    def test_labels_in_chinese_japanese_and_korean_get_glyphs(self):
        code = (pathlib.Path(__file__).parent.parent / "image" / "labels.py").read_text(encoding="utf-8")
        result = self.run_python(code)
        self.assert_ran(result)
        self.assertIn('"pictures": 7, "signs": 7', result.text)
        self.assertNotIn("missing from", result.text)
        self.assertNotIn("generated new fontManager", result.text)

    def test_figures_left_open_or_shown_come_back_in_order(self):
        result = self.run_python(
            'import matplotlib.pyplot as plt\nplt.figure(); plt.plot([1, 2]); plt.show()\n'
            'plt.figure(); plt.plot([2, 1])\nplt.figure(); plt.plot([3, 3])')
        self.assert_ran(result)
        self.assertEqual(len(result.links), 3, result.text)
        for link in result.links.values():
            self.assertTrue(self.server.fetch(link).startswith(b"\x89PNG"))

    def test_an_svg_is_linked_and_never_inline(self):
        result = self.run_python('import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig("/sandbox/output/plot.svg")\n'
                                 'plt.close("all")')
        self.assert_ran(result)
        self.assertEqual(result.images, [])
        self.assertIn("plot.svg", result.links)
        self.assertNotIn("<svg", result.text)
        self.assertIn(b"<svg", self.server.fetch(result.links["plot.svg"]))
