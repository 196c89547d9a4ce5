"""What a program prints comes back as it was, and bounded."""
import json
import os
import pathlib
import re
import time

import box

MIB = 1 << 20


def memory(pid: int, field: str) -> int:
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"^{field}:\s+(\d+) kB", text, re.M).group(1)) * 1024


class Output(box.Case):
    def test_unicode_comes_back_as_printed(self):
        result = self.run_python('print("世界 あ é 🎉")')
        self.assert_ran(result)
        self.assertIn("世界 あ é 🎉", result.text)

    def test_a_bad_byte_becomes_the_replacement_character_and_the_exit_code_survives(self):
        result = self.run_python('import sys\nsys.stdout.buffer.write(b"a\\xfeb\\n")\nsys.stdout.flush()\nsys.exit(3)')
        self.assert_ran(result)
        self.assertIn("a\ufffdb", result.text)
        self.assertIn("exit status 3", result.text)
        self.assertRegex(result.text, r"(?i)replaced|not (valid )?UTF-8")

    def test_stdout_and_stderr_are_kept_apart(self):
        result = self.run_python('import sys\nprint("to out")\nprint("to err", file=sys.stderr)')
        self.assert_ran(result)
        self.assertLess(result.text.index("to out"), result.text.index("[stderr]"))
        self.assertLess(result.text.index("[stderr]"), result.text.index("to err"))

    def test_a_flood_of_100_mib_is_bounded_with_head_and_tail_shown(self):
        self.run_python("print(1)")
        pid = self.server.process.pid
        before = memory(pid, "VmRSS")
        pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")
        result = self.run_python(
            'import sys\nline = "é" * 31 + "\\n"\nprint("THE HEAD")\n'
            'for _ in range(100):\n    sys.stdout.write(line * 16644)\nprint("THE TAIL")')
        self.assert_ran(result)
        self.assertIn("THE HEAD", result.text)
        self.assertIn("THE TAIL", result.text)
        self.assertNotIn("\ufffd", result.text, "the cut fell inside a code point")
        self.assertLess(len(result.text.encode()), 256 * 1024)
        self.assertRegex(result.text, r"\d (MiB|KiB|bytes)|MB|KB")
        self.assertRegex(result.text, r"\[stdout\.txt\]\([^)]+\) \(50 MiB\)", "the first 50 MiB come as a file")
        self.assertLess(result.took, 60)
        if not os.environ.get("CODEBOX_SANITIZED"):
            self.assertLess(memory(pid, "VmHWM") - before, 20 * MIB)

    def test_output_before_a_timeout_comes_back(self):
        result = self.run_python('import time\nfor n in range(5):\n    print("line", n, flush=True)\ntime.sleep(300)', timeout=5)
        self.assert_ran(result)
        for n in range(5):
            self.assertIn(f"line {n}", result.text)
        self.assertIn("timed out", result.text)
        self.assertLess(result.took, 20)

    def test_text_that_looks_like_something_else_stays_readable_text(self):
        for text in ("Error: nothing is wrong", '{"a": [1, 2]}', "data:image/png;base64,iVBORw0KGgo="):
            with self.subTest(text):
                result = self.run_python(f"print({text!r})")
                self.assert_ran(result)
                self.assertIn(text, result.text)
                self.assertEqual(result.images, [])
                with self.assertRaises(ValueError, msg="the block is valid JSON, which Open WebUI rewrites"):
                    json.loads(result.text)

    def test_a_traceback_names_the_programs_own_line(self):
        result = self.run_python("\n\n1 / 0")
        self.assert_ran(result)
        self.assertIn("ZeroDivisionError", result.text)
        self.assertIn("line 3", result.text)
        self.assertIn("exit status 1", result.text)


class Hangs(box.Case):
    def test_a_child_that_holds_stdout_does_not_hang_the_call(self):
        before = self.server.containers()
        result = self.run_python('import subprocess\nsubprocess.Popen(["sleep", "300"])\nprint("done")', timeout=50)
        self.assert_ran(result)
        self.assertIn("done", result.text)
        self.assertNotIn("timed out", result.text)
        self.assertLess(result.took, 30)
        box.wait_until(lambda: not self.server.containers() - before, 30, "the sandbox and the child in it are gone")

    def test_source_runs_unchanged(self):
        literal = "$(id) `id` \\n \\\\ ' \" <<EOF ${HOME} %s {source} ;|&"
        result = self.run_python(f"text = {literal!r}\r\nprint(text)\r\nprint(b'\\x01\\xff\\x7f')\r\n"
                                 "print('''\r\ncat <<EOF\r\nEOF\r\n''')")
        self.assert_ran(result)
        self.assertIn(literal, result.text)
        self.assertIn("b'\\x01\\xff\\x7f'", result.text)
        self.assertIn("cat <<EOF", result.text)

    def test_a_mebibyte_of_source_runs(self):
        result = self.run_python(f"text = '{'x' * MIB}'\nprint(len(text))")
        self.assert_ran(result)
        self.assertIn(str(MIB), result.text)

    def test_input_without_stdin_ends_at_once_with_a_hint(self):
        result = self.run_python('print(input("name? "))', timeout=50)
        self.assert_ran(result)
        self.assertIn("EOFError", result.text)
        self.assertRegex(result.text, r"`?stdin`?")
        self.assertLess(result.took, 30)

    def test_stdin_is_read_when_given(self):
        result = self.run_python("import sys\nprint(sys.stdin.read().upper())", stdin="grüezi\nmitenand")
        self.assert_ran(result)
        self.assertIn("GRÜEZI\nMITENAND", result.text)

    def test_the_limit_covers_the_install_too(self):
        started = time.monotonic()
        result = self.run_python("import time\ntime.sleep(300)", libraries=["humanize"], timeout=12)
        self.assertIn("timed out", result.text)
        self.assertLess(time.monotonic() - started, 25)


class Limits(box.Case):
    def test_out_of_memory_is_named_with_its_limit(self):
        result = self.run_python('print("before", flush=True)\ntext = b"x" * (3 << 30)\nprint(len(text))')
        self.assert_ran(result)
        self.assertIn("before", result.text)
        self.assertIn("out of memory", result.text)
        self.assertIn("500", result.text)
        self.assertIn("SANDBOX_MAX_MEMORY", result.text)


