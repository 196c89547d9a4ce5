"""Sandboxes end when their call does, however it ends."""
import os
import pathlib
import socket
import subprocess
import tempfile
import threading
import unittest

import box


class Ends(box.Case):
    def setUp(self):
        super().setUp()
        self.run_python("print(1)")  # so that the image is prepared, and a new container is the call's own

    def gone(self, container):
        box.wait_until(lambda: container not in self.server.containers(), 10, "the sandbox is gone")

    def test_a_client_that_disconnects_ends_its_sandbox(self):
        before = self.server.containers()
        connection = self.server.open_call("import time\ntime.sleep(300)")
        container = self.server.new_container(before)
        connection.close()
        self.gone(container)

    def test_a_cancel_notification_ends_its_own_call(self):
        before = self.server.containers()
        call = {"jsonrpc": "2.0", "id": "slow", "method": "tools/call",
                "params": {"name": "run_python", "arguments": {"code": "import time\ntime.sleep(300)"}}}
        worker = threading.Thread(target=lambda: self.quiet_post(call, "ada"), daemon=True)
        worker.start()
        container = self.server.new_container(before)
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "slow"}}
        self.assertEqual(self.server.post(cancel, box.token("somebody-else")).status, 202)
        self.assertIn(container, self.server.containers(), "another user's cancel acted")
        self.assertEqual(self.server.post(cancel, box.token("ada")).status, 202)
        self.gone(container)
        worker.join(30)
        self.assertFalse(worker.is_alive(), "the cancelled call never ended")

    def quiet_post(self, message, user):
        try:
            self.server.post(message, box.token(user))
        except OSError:
            pass  # an empty close is a fine end of a cancelled call

    def test_a_sandbox_that_is_removed_from_outside_is_a_finished_call(self):
        before = self.server.containers()
        results = []
        worker = threading.Thread(target=lambda: results.append(self.run_python("import time\ntime.sleep(300)")))
        worker.start()
        container = self.server.new_container(before)
        box.engine_cli("rm", "-f", container)
        worker.join(60)
        self.assertFalse(worker.is_alive(), "the call hangs")
        self.assertTrue(results and results[0].text)
        self.assertIn("still here", self.run_python('print("still here")').text)

    def test_stopping_the_server_removes_what_runs(self):
        with box.Server() as server:
            server.wait_ready()
            server.call(code="print(1)")
            before = server.containers()
            connection = server.open_call("import time\ntime.sleep(300)")
            container = server.new_container(before)
            self.assertEqual(server.stop(), 0)
            connection.close()
        left = box.engine_cli("inspect", container, check=False)
        self.assertNotEqual(left.returncode, 0, "the sandbox is still there")


class Engine(unittest.TestCase):
    @unittest.skipUnless(os.geteuid() == 0, "needs root, to become another user")
    def test_a_socket_that_may_not_be_opened_is_explained(self):
        nobody = 65534
        if subprocess.run([box.codebox, "--help"], user=nobody, group=nobody, extra_groups=[], capture_output=True, timeout=60, check=False,
                          cwd="/").returncode:
            self.skipTest("the user nobody may not run the program under test")
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
            os.chmod(folder, 0o755)
            path = str(pathlib.Path(folder) / "engine.sock")
            listener.bind(path)
            listener.listen()
            os.chmod(path, 0o660)
            server = box.Server(user=nobody, CONTAINER_HOST=f"unix://{path}", CONTAINER_BACKEND="docker")
            try:
                box.wait_until(lambda: server.process.poll() is not None or server.healthy(), 60, "it starts or says why not")
                said = server.call(code="print(1)").text if server.process.poll() is None else server.log()
            finally:
                server.stop()
        self.assertIn("65534", said)
        self.assertIn(path, said)
        self.assertRegex(said, r"\broot\b|\b0\b")

    def test_without_an_engine_the_server_stays_up_and_says_why(self):
        with box.Server(CONTAINER_HOST="unix:///nowhere/engine.sock", CONTAINER_BACKEND="docker") as server:
            reply = server.post(server.message("tools/list"), **server.routing("tools/list"))
            self.assertEqual(reply.status, 200)
            self.assertIn("run_python", [tool["name"] for tool in reply.json()["result"]["tools"]])
            result = server.call(code="print(1)")
            self.assertTrue(result.is_error)
            self.assertIn("/nowhere/engine.sock", result.text)


class Quota(box.Case):
    def test_a_refusal_for_too_many_calls_says_when_to_retry_and_costs_no_sandbox(self):
        with box.Server(RATE_LIMIT_RPS="0.01", RATE_LIMIT_BURST="1") as server:
            server.wait_ready()
            self.assertFalse(server.call(code="print(1)").is_error)
            before = server.containers()
            refused = server.call(code="print(1)")
            self.assertTrue(refused.is_error)
            self.assertRegex(refused.text, r"\d+ s|second")
            self.assertFalse(server.containers() - before)
            self.assertFalse(server.call(user="bob", code="print(1)").is_error, "one user's calls count for another")

    def test_a_user_has_so_many_sandboxes_and_no_more(self):
        with box.Server(MAX_CONCURRENT_SANDBOXES_PER_USER="1") as server:
            server.wait_ready()
            server.call(code="print(1)")
            before = server.containers()
            connection = server.open_call("import time\ntime.sleep(300)")
            server.new_container(before)
            refused = server.call(code="print(1)")
            self.assertTrue(refused.is_error)
            self.assertIn("try again", refused.text)
            self.assertFalse(server.call(user="bob", code="print(1)").is_error)
            connection.close()
