"""The protocol as raw HTTP: both eras, methods, ids, batches, headers. Needs no engine."""
import json
import pathlib
import socket
import unittest

import box

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


class Http(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = box.Server().__enter__()
        cls.addClassCleanup(cls.server.stop)

    def legacy(self, method, params=None, request_id=1, **headers):
        message = {"jsonrpc": "2.0", "id": request_id, "method": method}
        if params is not None:
            message["params"] = params
        return self.server.post(message, **headers)

    def modern(self, method, params=None, request_id=1, name=None, **headers):
        return self.server.post(self.server.message(method, params, request_id),
                                **{**self.server.routing(method, name), **headers})

    def initialize(self, version):
        return self.legacy("initialize", {"protocolVersion": version, "capabilities": {},
                                          "clientInfo": {"name": "tests", "version": "1"}})


class Paths(Http):
    def test_both_paths_answer_alike_without_a_redirect(self):
        for path in ("/mcp", "/mcp/"):
            with self.subTest(path):
                reply = self.server.post(self.server.message("tools/list"), path=path, **self.server.routing("tools/list"))
                self.assertEqual(reply.status, 200)
                self.assertIn("run_python", [tool["name"] for tool in reply.json()["result"]["tools"]])

    def test_openapi_is_answered_with_a_hint(self):
        reply = self.server.request("GET", "/mcp/openapi.json")
        self.assertIn("MCP", reply.body.decode())
        self.assertNotEqual(reply.status, 500)

    def test_another_path_is_not_found_in_json(self):
        reply = self.server.request("GET", "/nowhere")
        self.assertEqual(reply.status, 404)
        reply.json()

    def test_health_needs_no_token(self):
        self.assertEqual(self.server.request("GET", "/healthz").status, 200)
        self.assertIn(self.server.request("GET", "/readyz").status, (200, 503))


class Methods(Http):
    def test_get_is_405_with_allow(self):
        for path in ("/mcp", "/mcp/"):
            reply = self.server.request("GET", path, headers={"Accept": "text/event-stream"})
            self.assertEqual(reply.status, 405)
            self.assertIn("POST", reply.headers["allow"])

    def test_delete_ends_no_session_and_breaks_nothing(self):
        reply = self.server.request("DELETE", "/mcp", headers={"Authorization": f"Bearer {box.token()}", "Mcp-Session-Id": "old"})
        self.assertIn(reply.status, (200, 405))
        if reply.status == 405:
            self.assertIn("POST", reply.headers["allow"])

    def test_a_preflight_needs_no_token(self):
        reply = self.server.request("OPTIONS", "/mcp", headers={
            "Origin": f"http://127.0.0.1:{self.server.port}", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, content-type, mcp-method"})
        self.assertIn(reply.status, (200, 204))
        self.assertNotIn("www-authenticate", reply.headers)

    def test_other_methods_are_405(self):
        for method in ("PUT", "PATCH", "HEAD"):
            self.assertEqual(self.server.request(method, "/mcp").status, 405, method)


class Legacy(Http):
    def test_initialize_echoes_a_known_version_and_offers_the_newest_otherwise(self):
        for version in LEGACY:
            self.assertEqual(self.initialize(version).json()["result"]["protocolVersion"], version)
        for version in ("1999-01-01", "2026-07-28"):
            reply = self.initialize(version)
            self.assertEqual(reply.status, 200)
            self.assertEqual(reply.json()["result"]["protocolVersion"], "2025-11-25")
        self.assertNotIn("mcp-session-id", reply.headers)

    def test_a_notification_is_202_without_a_body(self):
        reply = self.server.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.assertEqual((reply.status, reply.body), (202, b""))

    def test_ping_is_an_empty_result(self):
        self.assertEqual(self.legacy("ping").json()["result"], {})

    def test_a_stale_session_id_changes_nothing(self):
        reply = self.legacy("tools/list", **{"Mcp-Session-Id": "from-before-the-restart"})
        self.assertEqual(reply.status, 200)
        self.assertIn("tools", reply.json()["result"])

    def test_ids_come_back_with_value_and_type(self):
        for request_id in (0, "", 7, "7", -1, "é", 2 ** 53):
            answer = self.legacy("ping", request_id=request_id).json()
            self.assertEqual((answer["id"], type(answer["id"])), (request_id, type(request_id)))

    def test_an_id_that_is_none_is_an_invalid_request(self):
        for request_id in (None, 1.5, True, {}, []):
            reply = self.legacy("ping", request_id=request_id)
            self.assertEqual(reply.status, 400, request_id)
            self.assertEqual(reply.json()["error"]["code"], -32600)

    def test_a_batch_is_answered_where_the_era_knows_it(self):
        batch = [{"jsonrpc": "2.0", "id": 0, "method": "ping"}, {"jsonrpc": "2.0", "method": "notifications/initialized"},
                 {"jsonrpc": "2.0", "id": "", "method": "ping"}]
        for headers in ({}, {"MCP-Protocol-Version": "2025-03-26"}):
            reply = self.server.post(batch, **headers)
            self.assertEqual(reply.status, 200)
            self.assertEqual(sorted(map(repr, (answer["id"] for answer in reply.json()))), ["''", "0"])
        for version in ("2025-06-18", "2025-11-25", "2026-07-28"):
            reply = self.server.post(batch, **{"MCP-Protocol-Version": version})
            self.assertEqual(reply.status, 400, version)
            self.assertEqual(reply.json()["error"]["code"], -32600)
        self.assertEqual(self.server.post([]).status, 400)

    def test_an_unknown_method_is_an_error_with_status_200(self):
        reply = self.legacy("resources/dance")
        self.assertEqual((reply.status, reply.json()["error"]["code"]), (200, -32601))

    def test_an_unknown_version_header_is_refused(self):
        self.assertEqual(self.legacy("tools/list", **{"MCP-Protocol-Version": "1999-01-01"}).status, 400)


class Modern(Http):
    def test_discover_names_versions_and_capabilities(self):
        reply = self.modern("server/discover")
        result = reply.json()["result"]
        self.assertEqual(reply.status, 200)
        self.assertIn("2026-07-28", result["supportedVersions"])
        self.assertIn("tools", result["capabilities"])
        self.assertEqual(result["resultType"], "complete")
        self.assertGreaterEqual(result["ttlMs"], 0)
        self.assertIn(result["cacheScope"], ("public", "private"))

    def test_tools_are_listed_in_order_with_object_schemas(self):
        result = self.modern("tools/list").json()["result"]
        names = [tool["name"] for tool in result["tools"]]
        self.assertEqual(names, sorted(names))
        self.assertEqual(set(names) & {"run_python", "list_python_packages"}, {"run_python", "list_python_packages"})
        for tool in result["tools"]:
            self.assertEqual(tool["inputSchema"]["type"], "object")
            self.assertTrue(tool["description"])
        run = next(tool for tool in result["tools"] if tool["name"] == "run_python")
        self.assertEqual(set(run["inputSchema"]["properties"]),
                         {"code", "libraries", "input_files", "output_files", "stdin", "timeout"})
        self.assertEqual(run["inputSchema"]["required"], ["code"])

    def test_every_language_is_listed_before_its_image_is_there_and_says_what_it_is_where_a_client_cuts_the_text(self):
        plugins = sorted(path.stem for path in pathlib.Path(self.server.environment["PLUGIN_DIR"]).glob("*.so"))
        with box.Server(SANDBOX_LANGUAGES=None, SANDBOX_PULL="never", SANDBOX_IMAGE_PYTHON="codebox/nowhere:1") as server:
            tools = server.post(server.message("tools/list"), **server.routing("tools/list")).json()["result"]["tools"]
            refused = server.call(code="print(1)")
        self.assertEqual(sorted(tool["name"] for tool in tools if tool["name"].startswith("run_")), [f"run_{name}" for name in plugins])
        self.assertTrue(refused.is_error)
        if box.image:
            self.assertIn('The sandbox image "codebox/nowhere:1" is not on this server', refused.text)
        for tool in tools:
            with self.subTest(tool["name"]):
                name = tool["title"].removeprefix("Run ").removesuffix(" packages")
                self.assertIn(name.split()[0], tool["description"][:100])
                self.assertRegex(tool["description"][:100], r"(?i)\b(runs?|builds?|compiles?|lists?)\b")
                if "libraries" in tool["inputSchema"].get("properties", {}):
                    self.assertRegex(tool["inputSchema"]["properties"]["libraries"]["description"], r'\["[^"]+"\]')

    def test_languages_can_be_narrowed_also_by_another_name(self):
        with box.Server(SANDBOX_LANGUAGES="py,python") as server:
            tools = server.post(server.message("tools/list"), **server.routing("tools/list")).json()["result"]["tools"]
            self.assertEqual([tool["name"] for tool in tools], ["list_files", "list_python_packages", "run_python"])

    def test_routing_headers_must_match_the_body(self):
        for headers in ({"Mcp-Method": "tools/call"}, {"Mcp-Method": None}, {"MCP-Protocol-Version": None},
                        {"MCP-Protocol-Version": "2025-11-25"}):
            reply = self.modern("tools/list", **headers)
            self.assertEqual((reply.status, reply.json()["error"]["code"]), (400, -32020), headers)
        reply = self.modern("tools/call", {"name": "run_python", "arguments": {"code": "1"}}, name="list_python_packages")
        self.assertEqual((reply.status, reply.json()["error"]["code"]), (400, -32020))

    def test_a_version_from_the_future_is_told_what_is_supported(self):
        message = self.server.message("tools/list")
        message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2031-01-01"
        reply = self.server.post(message, **{"MCP-Protocol-Version": "2031-01-01", "Mcp-Method": "tools/list"})
        error = reply.json()["error"]
        self.assertEqual((reply.status, error["code"]), (400, -32022))
        self.assertIn("2026-07-28", error["data"]["supported"])

    def test_unknown_methods_and_tools(self):
        reply = self.modern("ping")
        self.assertEqual((reply.status, reply.json()["error"]["code"]), (404, -32601))
        reply = self.modern("tools/call", {"name": "run_cobol", "arguments": {}}, name="run_cobol")
        self.assertEqual((reply.status, reply.json()["error"]["code"]), (200, -32602))


class Bodies(Http):
    def test_what_is_not_json_is_a_parse_error(self):
        for body in (b"", b"{", b"\xff\xfe", b"[1,", b"nonsense", b"[" * 100_000):
            reply = self.server.post(body)
            self.assertEqual(reply.status, 400, body[:20])
            self.assertIn(reply.json()["error"]["code"], (-32700, -32600))

    def test_media_types_are_compared_without_parameters(self):
        message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        self.assertEqual(self.server.post(message, **{"Content-Type": "application/json; charset=utf-8"}).status, 200)
        self.assertEqual(self.server.post(message, **{"Content-Type": "text/plain"}).status, 415)
        for accept in ("application/json", "*/*", None, "application/json, text/event-stream"):
            self.assertEqual(self.server.post(message, Accept=accept).status, 200, accept)

    def test_a_body_over_the_limit_is_refused_before_it_is_read(self):
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as connection:
            connection.sendall((f"POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {box.token()}\r\n"
                                "Content-Type: application/json\r\nContent-Length: 900000000\r\n\r\n").encode())
            self.assertIn(b" 413 ", connection.recv(4096).split(b"\r\n")[0])

    def test_both_framings_at_once_are_refused(self):
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as connection:
            connection.sendall((f"POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {box.token()}\r\n"
                                "Content-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
                                "0\r\n\r\n").encode())
            self.assertIn(b" 400 ", connection.recv(4096).split(b"\r\n")[0])

    def test_without_a_token_the_answer_is_401_in_json_rpc(self):
        for request_id in (0, "", "abc"):
            reply = self.server.post({"jsonrpc": "2.0", "id": request_id, "method": "ping"}, Authorization=None)
            self.assertEqual(reply.status, 401)
            self.assertIn("Bearer", reply.headers["www-authenticate"])
            self.assertEqual(reply.json()["id"], request_id)
            self.assertIn("Session", json.dumps(reply.json()))

    def test_a_token_of_another_secret_is_explained(self):
        reply = self.server.post({"jsonrpc": "2.0", "id": 1, "method": "ping"},
                                 box.token(secret="another-secret-0123456789-0123456789-abcdef"))
        self.assertEqual(reply.status, 401)
        self.assertIn("WEBUI_SECRET_KEY", reply.json()["error"]["message"])
