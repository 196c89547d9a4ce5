"""Packages that a call installed are kept as a layer of the image, and later calls start with them."""
import subprocess

import box

PROGRAM = "import humanize, os; print(humanize.intcomma(1234567), os.statvfs('/packages').f_flag & os.ST_RDONLY)"
LAYERED, PLAIN = "1,234,567 1", "1,234,567 0"


class Layers(box.Case):
    def setUp(self):
        super().setUp()
        self.own = box.Server(SANDBOX_PACKAGE_LAYERS="true", SANDBOX_POOL_SIZE="0", LOG_LEVEL="debug").__enter__()
        self.addCleanup(self.own.stop)
        self.addCleanup(self.layers, "prune")
        self.own.wait_ready()

    def layers(self, action) -> str:
        return subprocess.run([box.codebox, "layers", action], env=self.own.environment, cwd=self.own.state, check=True,
                              capture_output=True, text=True, timeout=60).stdout

    def call(self, library="humanize") -> str:
        result = self.own.call(code=PROGRAM, libraries=[library])
        self.assert_ran(result)
        return result.text

    def test_a_set_is_installed_once_and_then_comes_as_a_layer(self):
        self.assertIn(PLAIN, self.call())
        box.wait_until(lambda: "holds humanize" in self.own.log(), 60, "the layer is made:\n" + self.own.log()[-2000:])
        self.assertIn(LAYERED, self.call())
        self.assertEqual(len(self.layers("list").splitlines()), 1)
        self.assertIn(PLAIN, self.call("humanize>4"), "another specifier is another set")
        self.layers("prune")
        self.assertIn(PLAIN, self.call(), "a layer that was removed is not missed")
