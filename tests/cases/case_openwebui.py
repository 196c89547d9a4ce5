"""Open WebUI's side where it misbehaves or a model lies about files; a stand-in for it records every request."""
import http.server
import json
import re

import box

KNOWN = "11111111-2222-4333-8444-555555555555"
FOREIGN = "22222222-2222-4333-8444-555555555555"
DELETED = "33333333-2222-4333-8444-555555555555"


class OpenWebUI(box.Served):
    """Has one file of the caller's, refuses an empty upload as the real one does, and sends a stray redirect."""

    def __init__(self):
        self.requests, self.uploads = [], []
        outer = self

        class Handler(box.Handler):
            def do_GET(self):
                outer.requests.append((self.path, self.headers.get("Authorization", "")))
                if self.path.startswith(f"/base/api/v1/files/{KNOWN}/content"):
                    return self.answer(200, b"a,b\n1,2\n", "text/csv")
                if self.path.startswith(f"/base/api/v1/files/{KNOWN}"):
                    return self.answer(200, json.dumps({"id": KNOWN, "user_id": "ada", "filename": "data.csv", "meta": {
                        "name": "data.csv", "content_type": "text/csv", "size": 8}}).encode())
                if FOREIGN in self.path:
                    return self.answer(403, b'{"detail": "no"}')
                return self.answer(404, b'{"detail": "We could not find what you are looking for :/"}')

            def do_POST(self):
                outer.requests.append((self.path, self.headers.get("Authorization", "")))
                body = self.read_body()
                content = body.split(b"\r\n\r\n", 1)[1].rsplit(b"\r\n--", 1)[0]
                if not content:
                    return self.answer(400, b'{"detail": "The content provided is empty."}')
                outer.uploads.append(content)
                name = re.search(rb'filename="([^"]*)"', body).group(1).decode()
                made = f"44444444-2222-4333-8444-{len(outer.uploads):012d}"
                return self.answer(200, json.dumps({"id": made, "filename": name, "user_id": "ada", "meta": {
                    "name": name, "content_type": "text/plain", "size": len(content)}}).encode())

            def read_body(self):
                if "chunked" not in self.headers.get("Transfer-Encoding", ""):
                    return self.rfile.read(int(self.headers["Content-Length"]))
                body = b""
                while size := int(self.rfile.readline(), 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return body

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/base/"


class References(box.Case):
    def setUp(self):
        super().setUp()
        self.webui = self.enterContext(OpenWebUI())
        self.box = self.enterContext(box.Server(OWUI_BASE_URL=self.webui.url, OWUI_CHECK_USER="false"))
        self.box.wait_ready()

    def call(self, code, **arguments):
        return self.box.call(code=code, **arguments)

    def test_a_file_by_id_url_or_path_form_comes_in(self):
        for reference in (KNOWN, f"/api/v1/files/{KNOWN}/content", f"https://evil.invalid/api/v1/files/{KNOWN}/content?x=1"):
            with self.subTest(reference):
                result = self.call('print(open("data.csv").read())', input_files=[{"id": reference, "path": "data.csv"}])
                self.assert_ran(result)
                self.assertIn("a,b\n1,2", result.text)
        result = self.call('print(open("data.csv").read())', input_files=[KNOWN])
        self.assertIn("a,b\n1,2", result.text)
        self.assertTrue(self.webui.requests)
        for path, authorization in self.webui.requests:
            self.assertRegex(path, rf"^/base/api/v1/files/{KNOWN}(/content)?(\?|$)")
            self.assertTrue(authorization.startswith("Bearer "))

    def test_a_reference_that_is_no_file_reaches_no_other_address(self):
        for reference in ("../configs/export", "https://evil.invalid/x", f"{KNOWN}\n/../../configs", f"{KNOWN}/../../users",
                          "/api/v1/files/../configs", "?a=b", "#"):
            with self.subTest(reference):
                self.call("print(1)", input_files=[{"id": reference, "path": "x.txt"}])
        for path, _ in self.webui.requests:
            self.assertRegex(path, rf"^/base/api/v1/files/({KNOWN}(/content)?|search)?(\?|$)")
            self.assertNotIn("..", path.split("?")[0])

    def test_unknown_deleted_and_foreign_files_are_one_sentence_and_no_run(self):
        said = set()
        for reference in ("99999999-2222-4333-8444-555555555555", FOREIGN, DELETED):
            result = self.call('print("it " + "ran")', input_files=[
                {"id": KNOWN, "path": "a.csv"}, {"id": reference, "path": "b.csv"}, {"path": "c.csv", "text": "c"}])
            self.assert_refused(result)
            self.assertNotIn("it ran", result.text)
            said.add(result.text.replace(reference, "ID"))
        self.assertEqual(len(said), 1, said)

    def test_an_empty_output_is_named_and_the_others_arrive(self):
        result = self.call('open("/sandbox/output/empty.txt", "w").close()\nopen("/sandbox/output/full.txt", "w").write("full")')
        self.assert_ran(result)
        self.assertIn("empty.txt", result.text)
        self.assertIn("full.txt", result.links)
        self.assertEqual(self.webui.uploads, [b"full"])
        self.assertTrue(all("process=false" in path for path, _ in self.webui.requests if path.startswith("/base/api/v1/files/?")
                            or path.endswith("/files/")))
