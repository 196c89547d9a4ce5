"""Tools that a plugin brings itself, as clients of a running server meet them."""
import http.client
import json
import unittest

import box
import folder
from plugins_reload import tools


class Tools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = folder.temporary()
        plugins = place.__enter__()
        cls.addClassCleanup(place.__exit__, None, None, None)
        for name in ("conformance", "hostile_tools"):
            folder.put(folder.built(name), plugins / f"{name}.so")
        cls.server = box.Server(PLUGIN_DIR=str(plugins), SANDBOX_LANGUAGES=None, SANDBOX_EXEC_TIMEOUT="2").__enter__()
        cls.addClassCleanup(cls.server.stop)

    def call(self, name, **arguments):
        reply = self.server.post(self.server.message("tools/call", {"name": name, "arguments": arguments}),
                                 **self.server.routing("tools/call", name))
        return reply.json()["result"]

    def test_they_are_listed_as_they_are_written(self):
        listed = tools(self.server)
        self.assertIn("run_conformance", listed)
        self.assertEqual(listed["test_structured"], {
            "name": "test_structured", "title": "Echo", "description": "Answers its arguments.",
            "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}})

    def test_they_answer_without_any_engine(self):
        result = self.call("test_structured", a=[1, "ü"])
        self.assertEqual((result["structuredContent"], result["isError"]), ({"a": [1, "ü"]}, False))
        self.assertEqual(json.loads(result["content"][0]["text"]), {"a": [1, "ü"]})

    def test_wrong_arguments_are_refused_before_the_tool_runs(self):
        result = self.server.call("json_schema_2020_12_tool", nonsense=1)
        self.assertTrue(result.is_error)
        self.assertIn('The argument "nonsense" is none that this tool knows.', result.text)

    def test_a_tool_that_breaks_a_rule_costs_its_call_alone(self):
        for name, says in (("svg", "an image of the type"), ("crashes", "crashed (signal 11"), ("floods", "larger than 8 MiB"),
                           ("spins", "did not end within 2 s")):
            with self.subTest(name):
                result = self.call(f"hostile_{name}")
                self.assertTrue(result["isError"])
                self.assertEqual([block["type"] for block in result["content"]], ["text"])
                self.assertIn(says, result["content"][0]["text"])
        self.assertFalse(self.call("test_simple_text")["isError"])

    def test_the_operator_reads_of_a_broken_rule(self):
        self.call("hostile_unknown")
        box.wait_until(lambda: 'plugin "hostile_tools.so": The tool hostile_unknown broke a rule of its plugin\'s contract'
                       in self.server.log(), 10, "the log says so")

    def events(self, server, name, **meta):
        """The connection of a call that is answered with events, and its answer."""
        message = server.message("tools/call", {"name": name, "arguments": {}})
        message["params"]["_meta"].update(meta)
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self.addCleanup(connection.close)
        connection.request("POST", "/mcp", json.dumps(message), {
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {box.token()}", **server.routing("tools/call", name)})
        answer = connection.getresponse()
        self.assertEqual(answer.getheader("Content-Type"), "text/event-stream")
        return connection, answer

    def test_progress_comes_ahead_of_the_answer(self):
        _, answer = self.events(self.server, "test_tool_with_progress", progressToken="p")
        seen = [json.loads(line[6:]) for line in answer if line.startswith(b"data: ")]
        self.assertEqual([event.get("method") for event in seen], ["notifications/progress"] * 3 + [None])
        self.assertEqual([event["params"]["progress"] for event in seen[:3]], [0, 50, 100])
        self.assertIn("result", seen[3])

    def test_what_a_tool_tells_is_there_while_it_works_and_leaving_ends_it(self):
        with box.Server(PLUGIN_DIR=self.server.environment["PLUGIN_DIR"], SANDBOX_LANGUAGES=None, SANDBOX_EXEC_TIMEOUT="300",
                        MAX_CONCURRENT_SANDBOXES_PER_USER="1") as server:
            # It works until nobody waits, which would be after five minutes.
            connection, answer = self.events(server, "hostile_waits", **{"io.modelcontextprotocol/logLevel": "info"})
            first = next(line for line in answer if line.startswith(b"data: "))
            self.assertEqual(json.loads(first[6:])["params"], {"level": "info", "data": "waiting"})
            self.assertTrue(server.call("test_simple_text").is_error)   # the one place is taken
            answer.close()
            connection.close()
            box.wait_until(lambda: not server.call("test_simple_text").is_error, 20, "the place is free again")

    def test_the_openapi_face_has_them_too(self):
        reply = self.server.request("POST", "/tools/test_simple_text", b"{}", {
            "Content-Type": "application/json", "Authorization": f"Bearer {box.token()}"})
        self.assertEqual(reply.json()["text"], "This is a simple text response for testing.")

    def test_the_check_names_them(self):
        with folder.temporary() as place:
            folder.put(folder.built("conformance"), place / "x.so")
            said = folder.codebox("plugin", "check", place / "x.so").stdout
        self.assertTrue(said.startswith("good: Good 1.0, run_conformance, test_simple_text, "), said)


if __name__ == "__main__":
    unittest.main()
