"""What a sandbox writes never lands on the host's disk, and never is more than its share."""
import concurrent.futures
import os

import attack
import box

MIB = 1 << 20
FILL = """
import errno, os, sys
total, why = 0, {}
for place in ('/sandbox', '/tmp', '/dev/shm', '/dev/mqueue', '/sandbox/output', '/tmp/home'):
    block, number = b'x' * (1 << 20), 0
    while block:
        try:
            file = os.open(f'{place}/fill{number}', os.O_WRONLY | os.O_CREAT, 0o600)
            for _ in range(64): total += os.write(file, block)
            number += 1
        except OSError as error:
            why[place] = errno.errorcode[error.errno]
            block, number = block[:len(block) // 16], number + 1
print('FILLED', total, why)
"""


def used(path) -> int:
    status = os.statvfs(path)
    return (status.f_blocks - status.f_bfree) * status.f_frsize


class Disk(attack.Case):
    def root(self):
        root = "{{.Store.GraphRoot}}" if box.engine == "podman" else "{{.DockerRootDir}}"
        folder = os.environ.get("CODEBOX_ENGINE_ROOT") or box.engine_cli("info", "-f", root, check=False).stdout.strip()
        if not os.path.isdir(folder):
            self.skipTest("the engine's storage is not on this machine")
        return folder

    def test_eight_that_write_until_they_fail_take_nothing_from_the_hosts_disk(self):
        folder, deltas = self.root(), []
        for _ in range(3):  # others of this machine write too; what counts is that a round shows nothing
            before = used(folder)
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                results = list(pool.map(lambda n: self.run_python(FILL, user=f"writer-{n}"), range(8)))
            deltas.append((used(folder) - before) / MIB)
            if deltas[-1] < 64:
                break
        for result in results:
            self.assert_ran(result)
            self.assertNotIn("out of memory", result.text)
            self.assertIn("FILLED", result.text)
            written = int(result.text.split("FILLED")[1].split()[0])
            self.assertLessEqual(written, 256 * MIB)
            self.assertGreater(written, 200 * MIB)
            self.assertIn("'/sandbox': 'ENOSPC'", result.text)
        attack.say(f"disk: 8 wrote {written / MIB:.0f} MiB each; the host's disk in use changed by {deltas[-1]:.0f} MiB ({folder})")
        self.assertLess(deltas[-1], 64)

    def test_files_without_content_are_bounded_too(self):
        code = ("import errno\nn = 0\nfor place in ('/sandbox', '/tmp', '/dev/shm', '/packages'):\n    try:\n        while n < 400_000:\n"
                "            open(f'{place}/i{n}', 'w').close()\n            n += 1\n    except OSError as error:\n"
                "        print(place, n, errno.errorcode[error.errno])")
        with self.new_server(SANDBOX_EXEC_TIMEOUT="60") as server:  # a loaded machine makes a few thousand a second
            server.wait_ready()
            result = server.call(code=code)
        self.assert_ran(result)
        self.assertRegex(result.text, r"/sandbox \d+ ENOSPC|more than \d+ files in /sandbox \(SANDBOX_MAX_DISK\)")
        self.assertNotIn("out of memory", result.text)
