"""What a program can write is bounded everywhere, and a full place is "no space left", never want of memory."""
import contextlib
import json
import uuid

import box
import index

MEBIBYTE = 1 << 20

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
places = {folder for folder in places.values() if folder != "/dev/mqueue"}
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
        if box.engine == "podman":  # which knows no such limit, so that the agent counts
            self.assertRegex(result.text, r"was ended because it made more than \d+ files in /\S+ \(SANDBOX_MAX_DISK\); make fewer\.")
            return
        for folder, (count, error) in report(result).items():
            with self.subTest(folder):
                self.assertEqual(error, "ENOSPC")
                self.assertLess(count, 200000)

    def test_an_images_volumes_are_places_like_the_others(self):
        image = f"codebox/volumes-{uuid.uuid4().hex[:12]}:test"
        container = image.replace("/", "-").replace(":", "-")
        make = "mkdir -p /data /srv/deep/store && chmod 1777 /data /srv/deep/store"
        box.engine_cli("run", "--name", container, "--network", "none", "--user", "0", "--entrypoint", "sh", box.image, "-c", make)
        try:
            box.engine_cli("commit", "-c", "VOLUME /data", "-c", "VOLUME /srv/deep/store", container, image)
        finally:
            box.engine_cli("rm", "-f", container)
        name = image if box.engine == "docker" else "localhost/" + image
        try:
            with box.Server(SANDBOX_IMAGE_PYTHON=name) as server:
                server.wait_ready()
                result = server.call(code=FILL)
        finally:
            box.engine_cli("rmi", "-f", image, check=False)
        self.assert_ran(result)
        seen = report(result)
        self.assertLessEqual({"/data", "/srv/deep/store", "/sandbox"}, set(seen["places"]))
        self.assertLessEqual(set(seen["places"]), {"/data", "/srv/deep/store", "/sandbox", "/tmp", "/dev/shm"})
        self.assertEqual(seen["errors"], ["ENOSPC"])
        self.assertLessEqual(seen["taken"], 256 * MEBIBYTE)

    def install_and(self, code):
        """Runs `code` with a package of an index of our own."""
        with contextlib.ExitStack() as stack:
            source = stack.enter_context(index.Index(index.PRIVATE))
            server = stack.enter_context(box.Server(
                SANDBOX_ALLOWED_HOSTS=source.host, SANDBOX_CA_BUNDLE=source.bundle,
                SANDBOX_ENV_PYTHON=f"PIP_INDEX_URL={source.url}"))
            server.wait_ready()
            return server.call(code=code, libraries=["private-words"])

    def test_packages_are_no_more_room_for_the_program(self):
        grow = ("import os, private_words, time\n"
                "try:\n    open('/packages/new', 'w')\n    print('WROTE')\nexcept PermissionError: print('closed')\n"
                "folder = next((f for f, *_ in os.walk('/packages') if os.access(f, os.W_OK)), None)\n"
                "assert folder, 'nothing there can be written'\n"
                "with open(folder + '/full', 'wb', 0) as file:\n    for _ in range(300): file.write(bytes(1 << 20))\n"
                "time.sleep(20)\nprint('KEPT')")
        result = self.install_and(grow)
        self.assert_ran(result)
        self.assertIn("closed", result.text)
        self.assertNotIn("KEPT", result.text)
        self.assertNotIn("WROTE", result.text)
        self.assertRegex(result.text, r"wrote more than 25\d MiB \(SANDBOX_MAX_DISK\), of which \d+ MiB into /packages"
                                      r"|nothing there can be written")

    def test_a_full_disk_is_said_as_no_space_left_and_the_rest_still_comes(self):
        result = self.run_python('print("before", flush=True)\nopen("/sandbox/big", "wb").write(bytes(250 << 20))')
        self.assert_ran(result)
        self.assertIn("before", result.text)
        self.assertIn("No space left on device", result.text)
        self.assertNotIn("out of memory", result.text)
