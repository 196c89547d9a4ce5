"""The tools over OpenAPI: the description, one call as plain HTTP, a generated client, and hostile requests."""
import functools
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

import box
import mcp_clients

GENERATOR = ("openapi-spec-validator==0.9.0", "openapi-python-client==0.29.1")
CLIENT = """
import json, sys
from codebox_client import AuthenticatedClient
from codebox_client.api.programs import run_python
from codebox_client.models import RunPythonBody, ToolError, ToolResult
client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2], timeout=150)
body = lambda **given: RunPythonBody.from_dict(given)
if sys.argv[3] == "run":
    result = run_python.sync(client=client, body=body(code="print(6 * 7)"))
    assert isinstance(result, ToolResult), result
    print(json.dumps(result.to_dict()))
else:
    refused = run_python.sync(client=client, body=body(code=""))
    assert isinstance(refused, ToolError), refused
    print(json.dumps(refused.to_dict()))
"""


@functools.cache
def python_with_generator() -> str:
    folder = mcp_clients.CACHE / "venvs" / "openapi"
    python = str(folder / "bin" / "python")
    mcp_clients.install([[sys.executable, "-m", "venv", str(folder)],
                         [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *GENERATOR]],
                        folder, " ".join(GENERATOR))
    return python


class OpenApi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = box.Server().__enter__()
        cls.addClassCleanup(cls.server.stop)

    def post(self, tool="run_python", body=b"{}", bearer=None, **headers):
        fields = {"Content-Type": "application/json", "Authorization": f"Bearer {bearer or box.token()}", **headers}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.server.request("POST", f"/tools/{tool}", data,
                                   {name: value for name, value in fields.items() if value is not None})

    def document(self):
        return self.server.request("GET", "/openapi.json").json()


class Description(OpenApi):
    def test_it_needs_no_token_and_names_every_tool(self):
        reply = self.server.request("GET", "/openapi.json")
        self.assertEqual(reply.status, 200)
        self.assertEqual(reply.headers["content-type"], "application/json")
        listed = self.server.post(self.server.message("tools/list"), **self.server.routing("tools/list")).json()
        names = {tool["name"] for tool in listed["result"]["tools"]}
        self.assertEqual({path.removeprefix("/tools/") for path in reply.json()["paths"]}, names)

    def test_it_is_valid(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "openapi.json")
            file.write_text(json.dumps(self.document()))
            checked = subprocess.run([python_with_generator(), "-m", "openapi_spec_validator", str(file)], capture_output=True,
                                     text=True, timeout=120, check=False)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_other_methods_are_405(self):
        for method, path in (("POST", "/openapi.json"), ("DELETE", "/openapi.json"), ("GET", "/tools/run_python"),
                             ("PUT", "/tools/run_python")):
            reply = self.server.request(method, path, b"" if method in ("POST", "PUT") else None)
            self.assertEqual(reply.status, 405, (method, path))
            self.assertIn("allow", reply.headers)
            self.assertEqual(set(reply.json()), {"error", "reason"})
        head = self.server.request("HEAD", "/openapi.json")
        self.assertEqual((head.status, head.body), (200, b""))


class GeneratedClient(OpenApi):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        python = python_with_generator()
        environment = {**os.environ, "PATH": str(pathlib.Path(python).parent) + os.pathsep + os.environ["PATH"]}
        file = pathlib.Path(cls.folder.name, "openapi.json")
        file.write_bytes(cls.server.request("GET", "/openapi.json").body)
        made = subprocess.run([python, "-m", "openapi_python_client", "generate", "--path", str(file),
                               "--meta", "none", "--output-path", str(pathlib.Path(cls.folder.name, "codebox_client"))],
                              capture_output=True, text=True, timeout=120, check=False, env=environment)
        cls.said = made.stdout + made.stderr
        if made.returncode:
            raise AssertionError(cls.said)

    def run_client(self, what):
        done = subprocess.run([python_with_generator(), "-c", CLIENT, f"http://127.0.0.1:{self.server.port}", box.token(), what],
                              cwd=self.folder.name, capture_output=True, text=True, timeout=200, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_the_generator_has_nothing_to_complain_of(self):
        self.assertNotRegex(self.said, r"(?i)warning|unable|error")

    def test_a_refusal_is_a_typed_error(self):
        self.assertEqual(self.run_client("refuse")["reason"], "invalid")

    def test_a_call_is_a_typed_result(self):
        if not box.image:
            self.skipTest("no engine or no Python image is there")
        self.server.wait_ready()
        result = self.run_client("run")
        self.assertEqual((result["ran"], result["reason"], result["exit_status"]), (True, "ok", 0))
        self.assertTrue(result["text"].startswith("42\n"), result)


class Refusals(OpenApi):
    def test_who_has_no_token_gets_401_with_the_sentence(self):
        for bearer, word in (("nonsense", "Session"), (box.token(secret="x" * 40), "JWT_SECRET")):
            reply = self.post(bearer=bearer)
            self.assertEqual(reply.status, 401)
            self.assertEqual(reply.json()["reason"], "unauthorized")
            self.assertIn(word, reply.json()["error"])
            self.assertIn("Bearer", reply.headers["www-authenticate"])
        self.assertEqual(self.post(Authorization=None).status, 401)
        self.assertEqual(self.post(Authorization=None, body=b" " * 100_000).status, 401)

    def test_a_tool_that_is_not_there_is_answered_with_those_that_are(self):
        for tool in ("run_cobol", "", "run_python%00", "../mcp", "run_python/x", "%2e%2e/openapi.json", "a" * 2000):
            reply = self.post(tool)
            self.assertEqual(reply.status, 404, tool)
            self.assertIn("run_python", reply.json()["error"])

    def test_a_body_that_is_no_object_of_json_is_refused(self):
        for body in (b"[", b"[]", b"5", b"null", b'"x"', b'{"code":1,"code":2}', b"\xff", b"[" * 5000, b"{}" * 2,
                     b'{"a":' * 100 + b"1" + b"}" * 100):
            reply = self.post(body=body)
            self.assertEqual((reply.status, reply.json()["reason"]), (400, "invalid"), body[:20])
        self.assertEqual(self.post(**{"Content-Type": "text/plain"}).status, 415)

    def test_wrong_arguments_are_422_with_a_sentence(self):
        for body, word in (({}, "`code`"), ({"code": "1", "timeout": "soon"}, "`timeout`"),
                           ({"code": "1", "output_files": ["/etc/passwd"]}, "/etc/passwd"),
                           ({"code": "1", "libraries": ["-r x"]}, "-r x"), ({"code": "1", "stdin": {"a": 1}}, "`stdin`"),
                           ({"code": "1", "input_files": [{"path": "x"}]}, "`input_files`")):
            reply = self.post(body=body)
            self.assertEqual((reply.status, reply.json()["reason"]), (422, "invalid"), body)
            self.assertIn(word, reply.json()["error"])
            text = self.post(body=body, Accept="text/plain")
            self.assertEqual(text.body.decode(), reply.json()["error"])
            self.assertTrue(text.headers["content-type"].startswith("text/plain"))

    def test_pages_of_strangers_are_refused_and_neighbours_may_ask_first(self):
        reply = self.post(Origin="https://evil.invalid")
        self.assertEqual(reply.status, 403)
        self.assertIn("ALLOWED_ORIGINS", reply.json()["error"])
        self.assertEqual(self.server.request("GET", "/openapi.json", headers={"Origin": "https://evil.invalid"}).status, 403)
        own = f"http://127.0.0.1:{self.server.port}"
        for path in ("/tools/run_python", "/openapi.json"):
            asked = self.server.request("OPTIONS", path, headers={"Origin": own, "Access-Control-Request-Method": "POST",
                                                                  "Access-Control-Request-Headers": "authorization"})
            self.assertEqual(asked.status, 204)
            self.assertEqual(asked.headers["access-control-allow-origin"], own)
        self.assertEqual(self.post(Origin=own).headers["access-control-allow-origin"], own)

    def test_a_body_over_the_limit_is_413(self):
        head = (f"POST /tools/run_python HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {box.token()}\r\n"
                "Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n")
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as connection:
            connection.sendall(head.encode())
            self.assertRegex(connection.recv(4096), rb"^HTTP/1.1 413 ")

    def test_the_rate_limit_is_the_one_of_all_calls(self):
        with box.Server(RATE_LIMIT_RPS="0.01", RATE_LIMIT_BURST="1", MAX_CONCURRENT_SANDBOXES_PER_USER="1") as server:
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {box.token()}"}
            body = json.dumps({"code": "print(1)"}).encode()
            server.post(server.message("tools/call", {"name": "run_python", "arguments": {"code": "print(1)"}}),
                        **server.routing("tools/call", "run_python"))
            reply = server.request("POST", "/tools/run_python", body, headers)
            self.assertEqual((reply.status, reply.json()["reason"]), (429, "rate_limited"))
            self.assertIn("retry-after", reply.headers)


class Calls(box.Case):
    def post(self, body, **headers):
        fields = {"Content-Type": "application/json", "Authorization": f"Bearer {box.token()}", **headers}
        return self.server.request("POST", "/tools/run_python", json.dumps(body).encode(), fields)

    def test_a_program_that_failed_is_a_result_with_its_reason(self):
        said = self.post({"code": "import sys\nprint('so far')\nsys.exit(3)"}).json()
        self.assertEqual((said["ran"], said["reason"], said["exit_status"]), (True, "failed", 3))
        self.assertTrue(said["text"].startswith("so far\n[exit status 3,"), said)
        said = self.post({"code": "import time\ntime.sleep(60)", "timeout": 2}).json()
        self.assertEqual((said["reason"], said["exit_status"]), ("timeout", 124))
        self.assertGreaterEqual(said["seconds"], 1)

    def test_files_are_links_and_the_text_is_to_be_had_alone(self):
        code = "open('/sandbox/output/a b.txt', 'w').write('x' * 5)"
        said = self.post({"code": code}).json()
        self.assertEqual([(file["name"], file["size"], file["picture"]) for file in said["files"]], [("a b.txt", 5, False)])
        self.assertEqual(self.server.fetch(said["files"][0]["link"]), b"xxxxx")
        for headers in ({"Accept": "text/plain"}, {"X-OpenWebUI-Chat-Id": "3f0e6d3c-0000-4000-8000-000000000000"}):
            text = self.post({"code": "print('one\\ntwo')"}, **headers)
            self.assertTrue(text.headers["content-type"].startswith("text/plain"))
            self.assertRegex(text.body.decode(), r"^one\ntwo\n\[exit status 0, [0-9.]+ s\]\n$")

    def test_a_program_that_never_started_says_so_and_why(self):
        reply = self.post({"code": "print(1)", "input_files": ["11111111-2222-4333-8444-555555555555"]})
        self.assertEqual((reply.status, reply.json()["ran"], reply.json()["reason"]), (200, False, "not_found"))
        text = self.post({"code": "print(1)", "input_files": ["11111111-2222-4333-8444-555555555555"]}, Accept="text/plain")
        self.assertRegex(text.body.decode(), r"^Error: .*\n\[reason\] not_found$")

    def test_closing_the_connection_ends_the_program(self):
        before = self.server.containers()
        body = json.dumps({"code": "import time\ntime.sleep(300)"}).encode()
        head = (f"POST /tools/run_python HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {box.token()}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n")
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as connection:
            connection.sendall(head.encode() + body)
            made = self.server.new_container(before)
        box.wait_until(lambda: made not in self.server.containers(), 15, "the sandbox is gone")

    def test_spaces_come_ahead_of_a_late_answer(self):
        reply = self.post({"code": "import time\ntime.sleep(7)\nprint('late')"})
        self.assertRegex(reply.body, rb"^ +\{")
        self.assertEqual(reply.json()["reason"], "ok")
        text = self.post({"code": "import time\ntime.sleep(7)\nprint('late')"}, Accept="text/plain").body
        self.assertTrue(re.match(rb"\n+late\n", text), text)
