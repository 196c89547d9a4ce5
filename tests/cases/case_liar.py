"""A limit that the engine accepts but does not apply is found at start, and no program runs where it does not hold."""
import box
import liar

LIES = {
    "memory": lambda host: host.update(Memory=0, MemorySwap=0),
    "processes": lambda host: host.update(PidsLimit=0),
    "read-only-root": lambda host: host.update(ReadonlyRootfs=False),
    "capabilities": lambda host: host.update(CapAdd=["SETUID", "SETGID", "SYS_ADMIN"]),
    "seccomp": lambda host: host.update(SecurityOpt=["no-new-privileges", "seccomp=unconfined"]),
    "disk": lambda host: host["Tmpfs"].update({"/sandbox": "rw,exec,nosuid,nodev,size=400m,mode=1777"}),
}


class Lies(box.Case):
    def setUp(self):
        super().setUp()
        real = "/var/run/docker.sock"
        if box.engine != "docker" or not box.pathlib.Path(real).is_socket():
            self.skipTest("skipped: the engine's requests can be changed on Docker's own socket only")
        self.real = real

    def lying(self, lie, **settings) -> box.Server:
        between = liar.Liar(self.real, lie)
        self.addCleanup(between.stop)
        server = box.Server(CONTAINER_HOST=between.address, CONTAINER_BACKEND="docker", **settings).__enter__()
        self.addCleanup(server.stop)
        return server

    def test_what_does_not_hold_is_refused_by_name(self):
        for name, lie in LIES.items():
            with self.subTest(name):
                result = self.lying(lie).call(code="print('it ran')")
                self.assert_refused(result, name)
                self.assertNotIn("it ran", result.text)

    def test_an_operator_may_be_warned_instead(self):
        server = self.lying(LIES["processes"], SANDBOX_PROOF="warn")
        result = server.call(code="print('it ran')")
        self.assert_ran(result)
        self.assertIn("it ran", result.text)
        box.wait_until(lambda: "processes" in server.log(), 30, "the log names what does not hold")

    def test_an_honest_engine_behind_the_same_socket_is_believed(self):
        self.assert_ran(self.lying(lambda host: None).call(code="print('it ran')"))
