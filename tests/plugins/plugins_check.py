"""codebox plugin check says of each broken plugin what is wrong with it, and of good ones that they are."""
import collections
import os
import random
import re
import time
import unittest

import box
import broken
import folder

FUZZ_FILES, FUZZ_SECONDS = 400, 60


def bent_at_random(chance, whole: bytes) -> bytes:
    """Cut off, some bits turned, some bytes of a place overwritten, or all of it; the headers more often than the rest."""
    bent = bytearray(whole)
    if chance.random() < 0.3:
        del bent[chance.randrange(len(bent)):]
    for _ in range(chance.choice((0, 1, 1, 2, 8, 64))):
        if bent:
            at = chance.randrange(min(len(bent), chance.choice((64, 512, 4096, len(bent)))))
            bent[at] ^= 1 << chance.randrange(8)
    if bent and chance.random() < 0.4:
        at = chance.randrange(len(bent))
        bent[at:at + 16] = chance.choice((b"\0", b"\xff", b"\x7f")) * len(bent[at:at + 16])
    return bytes(bent)


class Check(unittest.TestCase):
    def expect(self, file, finding, says):
        status, answer = folder.check(file)
        self.assertEqual(status, 1, answer)
        self.assertFalse(answer["good"])
        refused = [one for one in answer["findings"] if one["severity"] == "refused"]
        self.assertEqual([one["id"] for one in refused], [finding], answer)
        # A loaded machine may meet the wall clock of a spinning plugin before its processor time.
        self.assertIn(says, refused[0]["reason"])

    def test_each_broken_plugin_is_named_rightly(self):
        for name, finding, says in broken.BUILT:
            with self.subTest(name), folder.temporary() as place:
                folder.put(folder.built(name), place / "x.so")
                self.expect(place / "x.so", finding, says)

    def test_each_unfit_file_is_named_rightly(self):
        for name, make, finding, says in broken.MADE:
            with self.subTest(name), folder.temporary() as place:
                make(place / "x.so")
                self.expect(place / "x.so", finding, says)

    def test_a_file_of_somebody_else_is_refused(self):
        if os.geteuid() != 0:
            self.skipTest("skipped: only root can give a file away")
        with folder.temporary() as place:
            folder.put(folder.built("good"), place / "x.so")
            os.chown(place / "x.so", 12345, 12345)
            self.expect(place / "x.so", "owner", "make it belong to root")

    def test_a_folder_that_others_may_write_is_refused(self):
        with folder.temporary() as place:
            folder.put(folder.built("good"), place / "x.so")
            place.chmod(0o777)
            self.expect(place / "x.so", "writable", "The folder ")

    def test_a_library_cut_off_or_bent_at_random_never_crashes_the_check(self):
        guide = (folder.ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
        known = set(re.findall(r"^\| `(\w+)` \|", guide, flags=re.M))
        wholes = [folder.built(name).read_bytes() for name in ("good", "conformance", "throws")]
        wholes.append((folder.built("good").parent.parent / "plugins" / "python.so").read_bytes())
        chance, found, until = random.Random(7), collections.Counter(), time.monotonic() + FUZZ_SECONDS
        with folder.temporary() as place:
            while sum(found.values()) < FUZZ_FILES and time.monotonic() < until:
                bent = bent_at_random(chance, chance.choice(wholes))
                (place / "x.so").write_bytes(bent)
                (place / "x.so").chmod(0o644)
                status, answer = folder.check(place / "x.so")
                refused = [one["id"] for one in answer["findings"] if one["severity"] == "refused"]
                self.assertEqual(status, 1 if refused else 0, answer)
                self.assertEqual([one for one in answer["findings"] if one["id"] not in known], [])
                self.assertTrue(answer["good"] or len(refused) == 1, answer)
                found[refused[0] if refused else "good"] += 1
        print(f"{sum(found.values())} bent libraries: {dict(found)}", flush=True)
        self.assertGreaterEqual(sum(found.values()), 50)
        self.assertGreater(len(found), 3)

    def test_needless_exports_are_remarked_but_do_not_keep_a_plugin_out(self):
        with folder.temporary() as place:
            folder.put(folder.built("exposes"), place / "x.so")
            status, answer = folder.check(place / "x.so")
        self.assertEqual(status, 0, answer)
        self.assertEqual([(one["id"], one["severity"]) for one in answer["findings"]], [("exports", "remark")])
        self.assertIn('exports "helper_of_mine" besides its entry; build it with -fvisibility=hidden.',
                      answer["findings"][0]["reason"])

    def test_a_good_plugin_has_no_finding(self):
        with folder.temporary() as place:
            folder.put(folder.built("good"), place / "x.so")
            status, answer = folder.check(place / "x.so")
            self.assertEqual((status, answer["good"], answer["findings"]), (0, True, []), answer)
            self.assertEqual(answer["language"]["id"], "good")
            said = folder.codebox("plugin", "check", place / "x.so")
            self.assertEqual(said.stdout, "good: Good 1.0, run_good\n")

    def test_every_plugin_that_is_shipped_is_good_without_a_remark(self):
        shipped = sorted((folder.built("good").parent.parent / "plugins").glob("*.so"))
        self.assertGreater(len(shipped), 0)
        fetches_no_toolchain = {"go": {"GOTOOLCHAIN=local", "GOPROXY=off"}, "rust": {"RUSTUP_AUTO_INSTALL=0"}}
        for plugin in shipped:
            with self.subTest(plugin.stem):
                status, answer = folder.check(plugin)
                self.assertEqual((status, answer["findings"]), (0, []), answer)
                self.assertEqual(answer["language"]["id"], plugin.stem)
                self.assertLessEqual(fetches_no_toolchain.get(plugin.stem, set()), set(answer["language"]["env"]))

    def test_two_plugins_with_one_name_are_told_by_the_list(self):
        with folder.temporary() as place:
            folder.put(folder.built("good"), place / "1.so")
            folder.put(folder.built("clash"), place / "2.so")
            listed = folder.codebox("plugin", "list", PLUGIN_DIR=str(place))
        self.assertEqual(listed.returncode, 1)
        self.assertIn('refused (clash): The language name "good" of "2.so" is already taken by "1.so"; remove one of the '
                      'two.', listed.stdout)

    def test_a_folder_that_is_not_there_is_an_error_of_usage(self):
        status, answer = folder.check("/nowhere/at/all/x.so")
        self.assertEqual(status, 2)
        self.assertIn("/nowhere/at/all", answer)

    def test_the_sample_and_the_listing_run_in_real_sandboxes(self):
        if not box.image:
            self.skipTest("skipped: no image")
        plugin = folder.built("good").parent.parent / "plugins" / "python.so"
        status, answer = folder.check(plugin, "--run", SANDBOX_IMAGE_PYTHON=box.image, SANDBOX_PROOF="warn")
        self.assertEqual((status, answer["findings"]), (0, []), answer)

    def test_a_sample_that_prints_something_else_is_a_finding(self):
        if not box.image:
            self.skipTest("skipped: no image")
        with folder.temporary() as place:
            folder.put(folder.built("good"), place / "x.so")   # runs true, which prints nothing
            status, answer = folder.check(place / "x.so", "--run", SANDBOX_IMAGE_GOOD=box.image)
        self.assertEqual(status, 1, answer)
        self.assertEqual([one["id"] for one in answer["findings"]], ["sample"])
        self.assertIn('The sample must print "x ", but gave: [no output]', answer["findings"][0]["reason"])

    def test_a_list_command_that_prints_no_package_is_a_finding(self):
        if not box.image:
            self.skipTest("skipped: no image")
        status, answer = folder.check(folder.built("empty_list"), "--run", SANDBOX_IMAGE_EMPTY_LIST=box.image)
        self.assertEqual(status, 1, answer)
        self.assertEqual([one["id"] for one in answer["findings"]], ["listing"], answer)

    def test_a_name_that_a_server_passes_over_is_a_remark(self):
        with folder.temporary() as place:
            for name in ("good", ".good.so"):
                folder.put(folder.built("good"), place / name)
                status, answer = folder.check(place / name)
                self.assertEqual((status, [one["id"] for one in answer["findings"]]), (0, ["name"]), answer)

    def test_a_check_that_finds_nothing_out_ends_with_2(self):
        status, answer = folder.check(folder.built("good"), "--run", CONTAINER_HOST="unix:///nowhere/at/all.sock")
        self.assertEqual(status, 2, answer)
        self.assertIn("/nowhere/at/all.sock", answer)

    def test_the_guide_explains_every_finding(self):
        guide = (folder.ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
        ids = {row[1] for row in broken.BUILT} | {row[2] for row in broken.MADE}
        for finding in ids | {"unsigned", "signature", "clash", "exports", "name", "owner", "sample", "listing", "image"}:
            self.assertIn(f"| `{finding}` |", guide)


if __name__ == "__main__":
    unittest.main()
