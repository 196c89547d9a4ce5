"""python3 tests/deploy/run.py --build FOLDER [--image IMAGE] [-k NAME]: an installed tree, the systemd unit, the compose
file, the workflows, what scripts/test removes and, where CODEBOX_TEST_ALL is set, the server's image."""
import argparse
import contextlib
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import unittest

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
sys.path[:0] = [str(root / "tests" / "cases"), str(here)]
import again  # noqa: E402
import box  # noqa: E402
import tree  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--build", required=True)
parser.add_argument("--image", default="")
parser.add_argument("-k", dest="keyword", default="")
options = parser.parse_args()
scratch = pathlib.Path(tempfile.mkdtemp(prefix="codebox-deploy-"))
prefix = scratch / "usr"


def needs_image(test: unittest.TestCase) -> None:
    if not options.image:
        test.skipTest("no engine or no Python image is there")


class InstalledTree(unittest.TestCase):
    def codebox(self, *words, **settings) -> str:
        environment = {"PATH": os.environ["PATH"], "JWT_SECRET": box.SECRET, "STATE_DIR": str(scratch / "state"), **settings}
        return tree.checked(str(prefix / "bin" / "codebox"), *words, env=environment, cwd=scratch)

    def test_it_finds_its_plugins_by_itself(self):
        self.assertRegex(self.codebox("plugin", "list"), r"(?m)^python +\S+ +Python ")

    def test_it_runs_a_program_in_a_sandbox(self):
        needs_image(self)
        program = scratch / "sum.py"
        program.write_text("print(sum(range(10)))\n", encoding="utf-8")
        self.assertIn("45", self.codebox("run", "python", str(program), SANDBOX_IMAGE_PYTHON=options.image))

    def test_the_settings_are_beside_it(self):
        self.assertIn("JWT_SECRET=", (prefix / "share" / "codebox" / "env.example").read_text(encoding="utf-8"))


class Unit(unittest.TestCase):
    def setUp(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze is not installed")
        unit = (prefix / "lib" / "systemd" / "system" / "codebox.service").read_text(encoding="utf-8")
        self.unit = scratch / "codebox.service"
        self.unit.write_text(unit.replace("/usr/local/bin/codebox", str(prefix / "bin" / "codebox")), encoding="utf-8")

    def analyze(self, *words) -> str:
        done = subprocess.run(["systemd-analyze", *words, str(self.unit)], capture_output=True, text=True, timeout=60)
        said = done.stdout + done.stderr
        if "Failed to" in said and "manager" in said:
            self.skipTest("systemd-analyze does not work here: " + said.strip().splitlines()[-1])
        self.assertEqual(done.returncode, 0, said)
        return said

    def test_systemd_accepts_it_without_a_word(self):
        self.assertNotIn("codebox.service", self.analyze("verify", "--man=no", "--recursive-errors=no"))

    def test_it_is_closed_off(self):
        self.analyze("security", "--offline=true", "--threshold=40", "--no-pager")


class Compose(unittest.TestCase):
    def setUp(self):
        words = ["docker-compose"] if shutil.which("docker-compose") else ["docker", "compose"]
        if subprocess.run([*words, "version"], capture_output=True).returncode != 0:
            self.skipTest("neither docker-compose nor docker's compose plugin is installed")
        self.project = "codebox-test-" + secrets.token_hex(4)
        self.words = [*words, "-p", self.project, "-f", str(root / "config" / "compose.yaml")]
        self.environment = {**os.environ, "WEBUI_SECRET_KEY": box.SECRET}

    def compose(self, *words, files=()) -> str:
        more = [word for file in files for word in ("-f", str(file))]
        return tree.checked(*self.words, *more, *words, env=self.environment, cwd=scratch, timeout=180)

    def test_it_is_valid_and_only_codebox_gets_the_socket(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("python3-yaml is not installed")
        services = yaml.safe_load(self.compose("config"))["services"]
        self.assertEqual(set(services), {"open-webui", "codebox"})
        self.assertNotIn("docker.sock", str(services["open-webui"]))
        codebox = services["codebox"]
        self.assertIn("docker.sock", str(codebox["volumes"]))
        self.assertNotIn("ports", codebox)
        self.assertEqual((codebox["read_only"], codebox["cap_drop"]), (True, ["ALL"]))
        self.assertNotIn("privileged", codebox)
        (connection,) = json.loads(services["open-webui"]["environment"]["TOOL_SERVER_CONNECTIONS"])
        self.assertEqual((connection["type"], connection["auth_type"]), ("mcp", "session"))

    def test_without_a_key_it_says_what_to_set(self):
        del self.environment["WEBUI_SECRET_KEY"]
        with self.assertRaisesRegex(AssertionError, "WEBUI_SECRET_KEY"):
            self.compose("config")

    def test_a_call_runs_a_sandbox_on_the_engine_outside(self):
        needs_image(self)
        server = self.project + ":server"
        tree.server_image(prefix, server)
        self.addCleanup(subprocess.run, ["docker", "rmi", "-f", server], capture_output=True)
        self.exercise(server)

    def test_the_built_image_runs_a_sandbox_on_the_engine_outside(self):
        if not os.environ.get("CODEBOX_TEST_ALL"):
            self.skipTest("building the server's image takes some minutes: it is part of scripts/test --all")
        needs_image(self)
        tree.checked(str(root / "scripts" / "build-image"), "server", timeout=3000)
        said = tree.checked("docker", "run", "--rm", "--network", "none", "--read-only", "--cap-drop", "ALL", "--user", "10001",
                            "-e", "JWT_SECRET=" + box.SECRET, "codebox/server:latest", "plugin", "list")
        self.assertRegex(said, r"(?m)^python ")
        self.exercise("codebox/server:latest")

    def exercise(self, server):
        stand_in = scratch / "stand-in.json"
        program = (here / "chat.py").read_text(encoding="utf-8").replace("$", "$$")
        stand_in.write_text(json.dumps({"services": {
            "open-webui": {"image": options.image, "command": ["python3", "-c", program], "user": "10002"},
            "codebox": {"image": server, "environment": {"LOG_LEVEL": "debug", "SANDBOX_PULL": "never"}},
        }}), encoding="utf-8")
        self.environment.update(OPEN_WEBUI_PORT="127.0.0.1:0", SANDBOX_IMAGE_PYTHON=options.image)
        self.addCleanup(self.compose, "down", "-v", "--timeout", "20", files=[stand_in])
        try:
            self.compose("up", "-d", "--no-build", files=[stand_in])
        except AssertionError as failure:
            if re.search(r"network|bridge|iptables", str(failure), re.I):
                self.skipTest("this engine makes no network of its own: " + str(failure).strip().splitlines()[-1])
            raise
        container = self.compose("ps", "-q", "codebox", files=[stand_in]).strip()
        address = tree.checked("docker", "inspect", "-f", "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}", container)
        server = Remote(address.strip())
        try:
            box.wait_until(server.ready, 60, "the server is ready")
            result = server.call(code="print(sum(range(10)))")
        except (AssertionError, OSError) as failure:
            logs = tree.checked("docker", "logs", container)
            raise AssertionError(f"{failure}\n{self.compose('logs', '--no-color', files=[stand_in])[-4000:]}{logs}") from None
        self.assertFalse(result.is_error, result.text)
        self.assertIn("45", result.text)
        self.assert_only_the_launcher_is_root(container)

    def assert_only_the_launcher_is_root(self, container):
        """What talks to clients has no root, no capability and not the group of the engine's socket."""
        rows = [row.split(None, 2) for row in
                tree.checked("docker", "top", container, "-eo", "uid,pid,args").splitlines()[1:]]
        serving = {int(uid): pid for uid, pid, words in rows if words.split()[1] == "serve"}
        self.assertEqual(set(serving), {0, 10001}, rows)
        self.assertEqual({int(uid) for uid, _, words in rows if words.split()[1] == "launcher"}, {0}, rows)
        status = pathlib.Path("/proc", serving[10001], "status").read_text(encoding="utf-8")
        self.assertRegex(status, r"(?m)^CapPrm:\t0+$")
        self.assertRegex(status, r"(?m)^Groups:\s*$")


class Remote(box.Server):
    """A server that somebody else started, at an address of its own."""

    def __init__(self, address):
        self.address = address

    def ready(self) -> bool:
        with contextlib.suppress(OSError):
            return self.request("GET", "/readyz", timeout=10).status == 200
        return False

    def request(self, method, path, body=None, headers=None, timeout=180):
        import http.client
        connection = http.client.HTTPConnection(self.address, 8000, timeout=timeout)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return box.Reply(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())


class Workflows(unittest.TestCase):
    def test_they_are_read_and_what_they_name_is_there(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("python3-yaml is not installed")
        for path in (root / ".github" / "workflows").glob("*.yml"):
            text = path.read_text(encoding="utf-8")
            jobs = yaml.safe_load(text)["jobs"]
            for name, job in jobs.items():
                self.assertTrue("uses" in job or ("runs-on" in job and "timeout-minutes" in job), path)
                needs = job.get("needs", [])
                for needed in [needs] if isinstance(needs, str) else needs:
                    self.assertIn(needed, jobs, f"{path.name}: {name} needs a job that is not there")
                for step in job.get("steps", []):
                    self.assertEqual(("run" in step) + ("uses" in step), 1, f"{path.name}: {step}")
                    script = re.sub(r"\$\{\{.*?\}\}", "x", step.get("run", ""))
                    checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
                    self.assertEqual(checked.stderr, "", f"{path.name}: {step.get('name')}")
            for job, output in re.findall(r"needs\.(\w+)\.outputs\.(\w+)", text):
                self.assertIn(output, jobs[job]["outputs"], path)
            for name in re.findall(r"(?:\.ci|tests|dockerfiles|scripts)/[\w./-]+\w|\./\.github/[\w./-]+\w", text):
                self.assertTrue((root / name).exists(), f"{path.name} names {name}, which is not there")

    def test_every_image_is_published(self):
        said = subprocess.run([root / "scripts" / "lib" / "dockerfiles"], check=True, capture_output=True, text=True).stdout
        self.assertTrue(said.startswith("names=["))
        there = [path.name.removesuffix(".Dockerfile") for path in (root / "dockerfiles").glob("*.Dockerfile")]
        self.assertEqual(sorted(json.loads(said.removeprefix("names="))), sorted(there))
        self.assertIn("server", there)

    def test_what_a_description_says_of_a_toolchain_is_of_the_base_image(self):
        for path in (root / "dockerfiles").glob("sandbox.*.Dockerfile"):
            text = path.read_text(encoding="utf-8")
            self.assertIn("\nLABEL codebox.packages=\"", text, f"{path.name}: a model is not told what is there")
            if said := re.search(r'^ARG TOOLCHAIN="\D+([\d.]+)"$', text, re.M):
                base = re.search(r"^ARG BASE_IMAGE=[^:]+:([\d.]+)", text, re.M).group(1)
                self.assertEqual(said.group(1), base, path.name)
                self.assertIn("\n# toolchain: ", text, path.name)


class LeftSandboxes(unittest.TestCase):
    """What scripts/test removes on an engine that it shares with others."""

    @staticmethod
    def run_of(pid: int) -> str:
        """As scripts/test with this process would name its run."""
        start = pathlib.Path("/proc", str(pid), "stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[19]
        return f"test-{os.stat('/proc/self/ns/pid').st_ino}-{pid}-{start}"

    def sandbox(self, instance: str) -> str:
        identity = tree.checked("docker", "create", "--network", "none", "--label", f"codebox.instance={instance}", options.image,
                                "true").strip()
        self.addCleanup(subprocess.run, ["docker", "rm", "-f", identity], capture_output=True)
        return identity

    def test_those_of_its_own_run_and_of_one_that_was_killed_go_and_no_others(self):
        needs_image(self)
        other, killed = (subprocess.Popen(["sleep", "600"]) for _ in range(2))
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        own, beside, over = (self.run_of(pid) for pid in (os.getpid(), other.pid, killed.pid))
        killed.kill()
        killed.wait()
        gone = {self.sandbox(f"{run}-0123456789abcdef") for run in (own, own, over)}
        kept = {self.sandbox(instance) for instance in
                (f"{beside}-0123456789abcdef", "0123456789abcdef", f"run-{killed.pid}.0123456789ab", f"test-1-{killed.pid}-1-ab",
                 "test-12345-678")}
        tree.checked("bash", "-euo", "pipefail", "-c", '. "$0/common.sh"; . "$0/suites.sh"; remove_left_sandboxes',
                     root / "scripts" / "lib", env={**os.environ, "CODEBOX_TEST_RUN": own})
        there = set(tree.checked("docker", "ps", "-aq", "--no-trunc", "--filter", "label=codebox.instance").split())
        self.assertEqual((gone & there, kept - there), (set(), set()))


try:
    tree.install(pathlib.Path(options.build), prefix)
    loader = unittest.TestLoader()
    if options.keyword:
        loader.testNamePatterns = [f"*{options.keyword}*"]
    status = again.run_counted(lambda: loader.loadTestsFromModule(sys.modules[__name__]), sys.stdout)
finally:
    shutil.rmtree(scratch, ignore_errors=True)
sys.exit(status)
