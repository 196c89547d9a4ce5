"""What a program can write is bounded everywhere, and a full place is "no space left", never want of memory."""
import json

import box

# Walks the whole tree as the program's own user and finds each file system in which a file can be made.
FIND = r'''
import errno, json, os
places = {}
for folder, names, _ in os.walk("/"):
    names[:] = [name for name in names if os.path.join(folder, name) not in ("/proc", "/sys")]
    probe = os.path.join(folder, ".probe")
    try:
        os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        os.unlink(probe)
    except OSError:
        continue
    places.setdefault(os.stat(folder).st_dev, folder)
places = {folder for folder in places.values() if folder not in ("/packages", "/dev/mqueue")}
'''

FILL = FIND + r'''
taken, errors, block = 0, set(), bytes(1 << 20)
for folder in places:
    file = os.open(os.path.join(folder, "full"), os.O_WRONLY | os.O_CREAT)
    size = len(block)
    while size and taken < 1 << 30:
        try:
            taken += os.write(file, block[:size])
        except OSError as error:
            errors.add(errno.errorcode[error.errno])
            size //= 16
    os.close(file)
for folder in places:
    os.unlink(os.path.join(folder, "full"))
print(json.dumps({"places": sorted(places), "taken": taken, "errors": sorted(errors)}))
'''

INODES = FIND + r'''
made, error = {}, None
for folder in places:
    count = 0
    try:
        while count < 200000:
            os.close(os.open(f"{folder}/file-{count}", os.O_WRONLY | os.O_CREAT))
            count += 1
    except OSError as failed:
        error = errno.errorcode[failed.errno]
    for number in range(count):
        os.unlink(f"{folder}/file-{number}")
    made[folder] = [count, error]
print(json.dumps(made))
'''


def report(result):
    return json.loads(next(line for line in result.text.splitlines() if line.startswith("{")))


class Disk(box.Case):
    def test_all_writable_places_together_hold_no_more_than_the_limit(self):
        result = self.run_python(FILL)
        self.assert_ran(result)
        seen = report(result)
        self.assertEqual(set(seen["places"]) & {"/sandbox", "/tmp", "/dev/shm"}, set(seen["places"]))
        self.assertIn("/sandbox", seen["places"])
        self.assertEqual(seen["errors"], ["ENOSPC"])
        self.assertLessEqual(seen["taken"], 256 << 20)
        self.assertGreater(seen["taken"], 200 << 20)
        self.assertNotIn("out of memory", result.text)

    def test_so_do_all_files(self):
        result = self.run_python(INODES)
        self.assert_ran(result)
        self.assertNotIn("out of memory", result.text)
        for folder, (count, error) in report(result).items():
            with self.subTest(folder):
                if folder == "/dev/shm":
                    continue  # the engine mounts it without such a limit; its files are charged to the memory limit
                self.assertEqual(error, "ENOSPC")
                self.assertLess(count, 200000)

    def test_a_full_disk_is_said_as_no_space_left_and_the_rest_still_comes(self):
        result = self.run_python('print("before", flush=True)\nopen("/sandbox/big", "wb").write(bytes(250 << 20))')
        self.assert_ran(result)
        self.assertIn("before", result.text)
        self.assertIn("No space left on device", result.text)
        self.assertNotIn("out of memory", result.text)
