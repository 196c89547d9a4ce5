"""Secrets of the operator and of users are nowhere that a program, a log reader or an engine's user could look."""
import contextlib
import os
import pathlib
import signal
import subprocess
import threading

import box

INDEX = "index-password-7f3a91"
PROXY = "proxy-password-51c2de"

# What a program can read of its sandbox: its environment, and what /proc tells of every process.
LOOK = r'''
import glob, os
for name, value in os.environ.items():
    print(name + "=" + value)
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
    try:
        print(path, open(path, "rb").read())
    except OSError as error:
        print(path, error.strerror)
for folder in ("/run/secrets", "/.codebox", "/etc"):
    for path in glob.glob(folder + "/*"):
        try:
            print(path, open(path, "rb").read()[:20000])
        except OSError:
            pass
'''


class Secrets(box.Case):
    def setUp(self):
        super().setUp()
        server = box.Server(LOG_LEVEL="debug", EGRESS_PROXY=f"http://proxy:{PROXY}@127.0.0.1:9",
                            SANDBOX_ENV_PYTHON=f"PIP_INDEX_URL=https://index:{INDEX}@127.0.0.1:9/simple;PIP_RETRIES=0")
        self.box = server.__enter__()
        self.addCleanup(self.box.stop)
        self.box.wait_ready()

    def secrets(self):
        return {"JWT_SECRET": box.SECRET, "the index's password": INDEX, "the proxy's password": PROXY,
                "the user's token": box.token().rsplit(".", 1)[0][-40:]}

    def assert_clean(self, where, text):
        for name, secret in self.secrets().items():
            self.assertNotIn(secret, text, f"{name} is in {where}")

    def test_a_program_a_result_and_the_log_show_none(self):
        result = self.box.call(code=LOOK, output_files=["/sandbox/none"])
        self.assert_ran(result)
        self.assertIn("PATH=", result.text)
        self.assert_clean("a program's sight", result.text)
        failed = self.box.call(code="print(1)", libraries=["no-such-package-of-ours"])
        self.assertTrue(failed.is_error)
        self.assert_clean("a failed install's words", failed.text)
        self.assertNotEqual(self.box.post("not json", "not.a.token").status, 200)
        self.assert_clean("the log", self.box.log())

    def test_what_anybody_may_ask_the_server_tells_none(self):
        self.box.call(code="print(1)", libraries=["no-such-package-of-ours"])
        for path in ("/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/version"):
            reply = self.box.request("GET", path)
            self.assert_clean(f"GET {path}", repr(reply.headers) + reply.body.decode(errors="replace"))

    def test_the_engine_is_told_none(self):
        self.box.call(code="print(1)")
        before = self.box.containers()
        done = []
        call = threading.Thread(target=lambda: done.append(self.box.call(code="input()\nimport time\ntime.sleep(3)", stdin="x\n")))
        call.start()
        container = self.box.new_container(before)
        told = subprocess.run(["docker", "inspect", container], check=True, capture_output=True, text=True, timeout=60).stdout
        call.join(120)
        self.assertFalse(call.is_alive())
        self.assertIn("codebox.instance", told)
        self.assert_clean("what the engine knows of a sandbox", told)

    def assert_leaves_no_core(self, pid, who):
        limits = pathlib.Path(f"/proc/{pid}/limits").read_text()
        core = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
        for value in core.split()[4:6]:
            self.assertIn(value, ("0", "1"), f"{who} may leave a core file")

    def test_an_agent_leaves_no_core_file(self):
        self.box.call(code="print(1)")
        before = self.box.containers()
        with contextlib.closing(self.box.open_call("import time\ntime.sleep(20)")):
            container = self.box.new_container(before)
            agent = box.wait_until(lambda: int(box.engine_cli("inspect", "-f", "{{.State.Pid}}", container).stdout), 30, "it runs")
            box.wait_until(lambda: b"agent" in pathlib.Path(f"/proc/{agent}/cmdline").read_bytes(), 30, "the agent runs")
            box.wait_until(lambda: pathlib.Path(f"/proc/{agent}/task/{agent}/children").read_text(), 30, "it has begun")
            self.assert_leaves_no_core(agent, "the agent")

    def test_a_server_that_crashes_leaves_no_core(self):
        self.box.call(code="print(1)")
        self.box.ends += (-signal.SIGABRT,)
        self.box.process.send_signal(signal.SIGABRT)
        ended = os.waitid(os.P_PID, self.box.process.pid, os.WEXITED | os.WNOWAIT)
        self.assertEqual((ended.si_code, ended.si_status), (os.CLD_KILLED, signal.SIGABRT))

    def test_children_of_the_server_get_none_and_no_core_is_written(self):
        pid = self.box.process.pid
        self.assert_leaves_no_core(pid, "the server")
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        self.assertTrue(children, "no launcher was seen")
        for child in children:
            self.assert_leaves_no_core(child, f"the process {child}")
            for name in ("environ", "cmdline"):
                text = pathlib.Path(f"/proc/{child}/{name}").read_bytes().decode(errors="replace")
                self.assert_clean(f"{name} of the process {child}", text)
