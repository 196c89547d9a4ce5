"""Other runtimes than the engine's own (SANDBOX_RUNTIME): programs run, and every limit is seen to hold there too."""
import box


class Runtimes(box.Case):
    def check(self, runtime):
        known = box.engine_cli("info", "-f", "{{range $name, $_ := .Runtimes}}{{$name}} {{end}}", check=False).stdout.split()
        if runtime not in known:
            self.skipTest(f"this Docker knows no runtime {runtime}: see docs/engines.md")
        with box.Server(SANDBOX_RUNTIME=runtime, SANDBOX_POOL_SIZE="1") as server:
            server.wait_ready()
            for _ in range(2):
                result = server.call(code="print(1)")
                self.assert_ran(result)
                self.assertTrue(result.text.startswith("1\n"), result.text)
            self.assertRegex(server.log(), rf"all \d+ limits of sandboxes were seen to hold under SANDBOX_RUNTIME={runtime}")

    def test_crun(self):
        self.check("crun")

    def test_runsc(self):
        self.check("runsc")

    def test_kata(self):
        self.check("kata")
