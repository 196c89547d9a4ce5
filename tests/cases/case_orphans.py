"""Whatever is killed, nothing of it stays behind, and nobody else's sandbox is touched. What a sweep, the end of stdin
or a lease removes has half a minute."""
import os
import pathlib
import signal
import subprocess
import threading

import box

SLEEP = "import time\ntime.sleep(300)"
PATIENCE = 45


def children(pid: int) -> dict:
    """The processes below one, pid -> its command line's words."""
    found = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            try:
                found[int(child)] = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")
            except OSError:
                continue
            found.update(children(int(child)))
    return found


def running(pid: int) -> bool:
    try:
        return " Z " not in pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1][:3]
    except OSError:
        return False


class Killed(box.Case):
    def start(self, server) -> str:
        """A server with one sandbox at work; its id."""
        server.wait_ready()
        self.assert_ran(server.call(code="print(1)"))
        box.wait_until(lambda: not server.containers(), PATIENCE, "the first sandbox is gone")
        server.connection = server.open_call(SLEEP)
        return server.new_container(set())

    def below(self, server, word) -> int:
        for pid, words in children(server.process.pid).items():
            if word in words:
                return pid
        self.fail(f"no process {word!r} is below the server")

    def gone(self, container, what):
        box.wait_until(lambda: not self.exists(container), PATIENCE, what)

    @staticmethod
    def exists(container) -> bool:
        return box.engine_cli("container", "inspect", container, check=False).returncode == 0

    def restart(self, server):
        """The same server again, on the same state."""
        environment = {name: value for name, value in server.environment.items()}
        server.process = subprocess.Popen([box.codebox, "serve"], env=environment, cwd=server.state,
                                          stdin=subprocess.DEVNULL, stdout=server.log_stream, stderr=subprocess.STDOUT)
        server.wait_up()

    def test_a_killed_server_leaves_nothing_and_another_one_is_not_touched(self):
        with box.Server() as kept, box.Server() as server:
            mine = self.start(kept)
            lost = self.start(server)
            below = children(server.process.pid)
            server.process.kill()
            server.process.wait()
            self.gone(lost, "the sandbox of the killed server is gone")
            box.wait_until(lambda: not any(map(running, below)), PATIENCE, "no child of the server is left")
            self.restart(server)
            self.assertIn("again", server.call(code='print("again")').text)
            self.assertTrue(self.exists(mine), "another server's sandbox was taken")
            kept.connection.close()

    def test_a_killed_launcher_is_replaced_and_leaves_nothing(self):
        with box.Server() as server:
            lost = self.start(server)
            below = children(self.below(server, "launcher"))
            os.kill(self.below(server, "launcher"), signal.SIGKILL)
            box.wait_until(lambda: not server.call(code="print(1)").is_error, PATIENCE, "a new launcher serves")
            self.gone(lost, "the sandbox of the killed launcher is gone")
            box.wait_until(lambda: not any(map(running, below)), PATIENCE, "no child of the launcher is left")

    def test_a_killed_engine_service_is_started_again(self):
        if box.engine != "podman" or os.environ.get("CONTAINER_HOST"):
            self.skipTest("the engine is not the server's own")
        with box.Server() as server:
            lost = self.start(server)
            os.kill(self.below(server, "service"), signal.SIGKILL)
            box.wait_until(lambda: not server.call(code="print(1)").is_error, PATIENCE, "the service serves again")
            self.gone(lost, "the sandbox of the killed service is gone")

    def test_all_killed_at_once_leave_nothing(self):
        with box.Server() as server:
            lost = self.start(server)
            below = children(server.process.pid)
            for pid in (server.process.pid, *below):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            server.process.wait()
            self.restart(server)
            self.gone(lost, "the sandbox is gone")
            self.assert_ran(server.call(code="print(1)"))

    def test_a_second_server_of_the_same_state_takes_nothing_and_does_not_start(self):
        with box.Server() as server:
            mine = self.start(server)
            second = subprocess.run([box.codebox, "serve"], env=server.environment, stdin=subprocess.DEVNULL, text=True,
                                    cwd=server.state, capture_output=True, timeout=60, check=False)
            self.assertEqual(second.returncode, 2, second.stderr)
            self.assertIn("is in use by a server that runs", second.stderr)
            self.assertTrue(self.exists(mine), "the running server's sandbox was taken")
            self.assert_ran(server.call(code="print(1)"))
            server.connection.close()

    def test_a_cancelled_call_ends_its_sandbox_at_once(self):
        with box.Server() as server:
            lost = self.start(server)
            ended = threading.Event()
            server.connection.close()
            threading.Timer(5, ended.set).start()
            box.wait_until(lambda: ended.is_set() or not self.exists(lost), 10, "five seconds")
            self.assertFalse(self.exists(lost), "a cancelled call's sandbox lived for five seconds")
