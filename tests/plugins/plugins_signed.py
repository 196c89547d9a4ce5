"""With PLUGIN_TRUSTED_KEYS a plugin needs a signature by one of those keys, made by the commands of docs/plugins.md."""
import shutil
import subprocess
import unittest

import box
import folder
from plugins_reload import seconds_until, tools


def openssl(*words):
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=60)


class Signed(unittest.TestCase):
    def setUp(self):
        if not shutil.which("openssl"):
            self.skipTest("skipped: openssl is not installed")
        place = folder.temporary()
        self.place = place.__enter__()
        self.addCleanup(place.__exit__, None, None, None)
        for name in ("ours", "theirs"):
            openssl("genpkey", "-algorithm", "ed25519", "-out", self.place / f"{name}.key")
            openssl("pkey", "-in", self.place / f"{name}.key", "-pubout", "-out", self.place / f"{name}.pub")
        self.plugins = self.place / "plugins"
        self.plugins.mkdir()
        folder.put(folder.built("good"), self.plugins / "x.so")

    def sign(self, key="ours", library="x.so"):
        openssl("pkeyutl", "-sign", "-inkey", self.place / f"{key}.key", "-rawin", "-in", self.plugins / library,
                "-out", self.plugins / f"{library}.sig")

    def check(self, keys="ours.pub"):
        return folder.check(self.plugins / "x.so", PLUGIN_TRUSTED_KEYS=str(self.place / keys))

    def expect(self, finding, says):
        status, answer = self.check()
        self.assertEqual((status, [one["id"] for one in answer["findings"]]), (1, [finding]), answer)
        self.assertIn(says, answer["findings"][0]["reason"])

    def test_a_library_with_its_signature_is_taken(self):
        self.sign()
        status, answer = self.check()
        self.assertEqual((status, answer["findings"]), (0, []), answer)

    def test_one_without_is_refused(self):
        self.expect("unsigned", 'There is no signature "x.so.sig" that can be read, and PLUGIN_TRUSTED_KEYS is set')

    def test_the_signature_of_another_key_does_not_count(self):
        self.sign("theirs")
        self.expect("signature", "is not one of this library by a key of PLUGIN_TRUSTED_KEYS; sign it anew.")

    def test_the_signature_of_another_library_does_not_count(self):
        self.sign()
        folder.put(folder.built("longer_struct"), self.plugins / "x.so")
        self.expect("signature", "sign it anew.")

    def test_a_signature_that_is_too_long_or_too_short_does_not_count(self):
        self.sign()
        whole = (self.plugins / "x.so.sig").read_bytes()
        for bent in (whole + b"\n", whole[:-1], b""):
            (self.plugins / "x.so.sig").write_bytes(bent)
            self.expect("signature", "sign it anew.")

    def test_a_file_that_is_no_key_is_an_error_that_names_it(self):
        status, answer = self.check(keys="ours.key")
        self.assertEqual(status, 2)
        self.assertIn("which is not the PEM file of an Ed25519 public key", answer)

    def test_a_running_server_keeps_what_was_signed_until_the_new_one_is(self):
        self.sign()
        with box.Server(PLUGIN_DIR=str(self.plugins), SANDBOX_LANGUAGES=None,
                        PLUGIN_TRUSTED_KEYS=str(self.place / "ours.pub")) as server:
            self.assertIn("run_good", tools(server))
            folder.put(folder.built("longer_struct"), self.plugins / "x.so")
            seconds_until(lambda: "stays as it was, its new version is left out (signature)" in server.log(), "it is refused")
            self.assertIn("run_good", tools(server))
            self.sign()
            seconds_until(lambda: "run_longer" in tools(server), "the new version is there")


if __name__ == "__main__":
    unittest.main()
