"""Files that are not what they were a moment ago. Nothing but a regular file of the step user's ever comes out."""
import attack

SECRETS = ("/etc/passwd", "/.codebox/agent", "/proc/1/environ", "/proc/self/environ", "/dev/zero")


class Races(attack.Case):
    def assert_only(self, result, allowed):
        """Every file that came back has one of the contents that the program itself wrote."""
        self.assert_ran(result)
        for name, link in result.links.items():
            content = self.server.fetch(link)
            self.assertTrue(set(content) <= set(allowed), f"{name}: {content[:80]!r}")

    def flipper(self, target, make):
        """A program that ends while processes which ignore every polite signal go on exchanging a file."""
        return (f"import os, signal, threading, time\ntarget = {target!r}\nos.chdir('/sandbox/output')\n{make}"
                "def flip():\n    n = 0\n    while True:\n        n += 1\n        for name in ('a', 'b', 'c'):\n"
                "            try:\n                (bad if n % 2 else good)(name + '.new')\n"
                "                os.rename(name + '.new', name)\n            except OSError: pass\n"
                "for _ in range(4):\n    if os.fork() == 0:\n        if os.fork() == 0:\n            os.setsid()\n"
                "            for s in range(1, 65):\n                try: signal.signal(s, signal.SIG_IGN)\n"
                "                except (OSError, ValueError): pass\n            flip()\n        os._exit(0)\n"
                "threading.Thread(target=flip, daemon=True).start()\ntime.sleep(0.3)\nprint('flipped', flush=True)\nos._exit(0)\n")

    def test_a_file_that_flips_to_a_symbolic_link_while_it_is_collected(self):
        make = ("def good(name):\n    open(name, 'w').write('g' * 100000)\n"
                "def bad(name):\n    os.symlink(target, name)\n")
        for target in SECRETS:
            with self.subTest(target):
                result = self.run_python(self.flipper(target, make), output_files=["/sandbox/output/a", "/sandbox/output/b"])
                self.assertIn("flipped", result.text)
                self.assert_only(result, b"g")

    def test_a_file_that_flips_to_a_hard_link_pipe_or_folder_while_it_is_collected(self):
        for bad in ("os.link(target, name)", "os.mkfifo(name)", "os.mkdir(name)", "os.truncate(os.open(name, 64 | 1), 10 << 30)",
                    "__import__('socket').socket(1, 1).bind(name)"):
            with self.subTest(bad):
                make = f"def good(name):\n    open(name, 'w').write('g' * 100000)\ndef bad(name):\n    {bad}\n"
                result = self.run_python(self.flipper("/.codebox/agent", make))
                self.assertIn("flipped", result.text)
                self.assert_only(result, b"g")

    def test_a_hard_link_to_what_is_not_its_own_cannot_be_made(self):
        result = self.run_python(
            "import errno, os\nfor path in ('/etc/passwd', '/.codebox/agent', '/etc/shadow', '/proc/1/environ', '/dev/null'):\n"
            "    for name in ('/sandbox/output/x', '/tmp/x', '/dev/shm/x'):\n        try:\n            os.link(path, name)\n"
            "            print('LINKED', path)\n        except OSError as error:\n            print(errno.errorcode[error.errno])")
        self.assert_ran(result)
        self.assertNotIn("LINKED", result.text)

    def test_links_on_the_way_lead_nowhere(self):
        result = self.run_python(
            "import os\nos.symlink('/etc', '/sandbox/output/folder')\nos.symlink('/', '/sandbox/root')\n"
            "os.symlink('/proc/self/fd', '/sandbox/fds')\nos.symlink('/etc/passwd', '/sandbox/output/file')\n"
            "os.symlink('loop', '/sandbox/output/loop')\nos.rename('/sandbox/output', '/sandbox/old')\n"
            "os.symlink('/etc', '/sandbox/output')",
            output_files=["/sandbox/output/passwd", "/sandbox/root/etc/passwd", "/sandbox/old/folder/passwd", "/sandbox/old/file",
                          "/sandbox/fds/1", "/sandbox/old/loop", "/sandbox/old/**"])
        self.assert_ran(result)
        self.assertEqual({}, result.links)
        self.assertIn("[not returned] /sandbox/old/file: is a symbolic link", result.text)
        self.assertNotIn("root:x:", result.text)

    def test_paths_outside_the_writable_places_are_refused_by_name(self):
        for path in ("/etc/passwd", "/sandbox/../etc/passwd", "/.codebox/agent", "/proc/1/mem", "../../etc/passwd", "/sandbox/\0x"):
            with self.subTest(path):
                result = self.run_python("print(1)", output_files=[path])
                self.assertEqual({}, result.links, result.text)
                self.assertTrue(result.is_error or "not returned" in result.text, result.text)

    def test_a_file_that_says_it_is_huge_is_refused_with_its_size(self):
        result = self.run_python("import os\nopen('/sandbox/output/huge', 'w')\nos.truncate('/sandbox/output/huge', 10 << 30)")
        self.assert_ran(result)
        self.assertEqual({}, result.links)
        self.assertIn("SANDBOX_MAX_FILE_SIZE", result.text)

    def test_an_input_never_lands_where_a_link_leads(self):
        for path in ("../etc/x", "/etc/x", "a/../../x", "/sandbox/../x", "/proc/self/mem"):
            with self.subTest(path):
                result = self.run_python("print('ran')", input_files=[{"path": path, "text": "x"}])
                self.assertTrue(result.is_error, result.text)
                self.assertNotIn("ran\n", result.text)
