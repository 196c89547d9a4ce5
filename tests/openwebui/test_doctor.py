"""`codebox doctor --openwebui`: what it says of the connections of a real Open WebUI, right ones and wrong ones."""
import unittest

import driver
import requests
from servers import ADMIN, SECRET, free_port, with_open_webui


class OfConnections(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.servers = with_open_webui(cls.addClassCleanup)
        cls.url = cls.servers.start_codebox("codebox")
        cls.admin = driver.Person(cls.servers.url, *ADMIN)
        cls.ann = cls.admin.add_person("ann")

    def look(self, *connections, token=None, **settings):
        """The lines about these connections, as (topic, verdict): text."""
        self.admin.connect(*connections)
        lines = self.servers.doctor(SECRET, "--openwebui", "--token", "-", stdin=(token or self.admin.token) + "\n", **settings)
        for line in lines:
            self.assertNotIn(self.admin.token, line["text"])
        return [(line["topic"], line["verdict"], line["text"]) for line in lines]

    def one(self, lines, topic):
        found = [(verdict, text) for about, verdict, text in lines if about == topic]
        self.assertEqual(len(found), 1, lines)
        return found[0]

    def test_the_documented_connections_are_right_in_every_row(self):
        lines = self.look(driver.connection("box", self.url), driver.connection("openbox", self.url, "openapi"))
        self.assertEqual([line for line in lines if line[1] != "ok"], [])
        topics = [topic for topic, _, _ in lines]
        for topic in ("connection", "identity", "headers", "tools"):
            self.assertEqual(topics.count(topic), 2, lines)
        for topic in ("open-webui", "secret", "clock", "administrator", "events", "upload"):
            self.assertEqual(topics.count(topic), 1, lines)
        self.assertIn("removed", self.one(lines, "upload")[1])
        self.assertEqual(self.admin.get("/api/v1/files/?content=false").json()["total"], 0)
        self.assertFalse([topic for topic in topics if topic in ("engine", "plugins")], "it looks at Open WebUI alone")

    def test_each_thing_that_is_not_as_documented_is_named_with_what_to_do(self):
        right = driver.connection("box", self.url)
        without = {"X-OpenWebUI-Chat-Id": "{{CHAT_ID}}"}
        cases = [({"auth_type": "bearer", "key": "k"}, "identity", "problem", "set its Auth to Session"),
                 ({"auth_type": "none"}, "identity", "problem", "set its Auth to Session"),
                 ({"headers": without}, "headers", "warning", '"X-OpenWebUI-Message-Id":"{{MESSAGE_ID}}"'),
                 ({"headers": None}, "headers", "warning", '"X-OpenWebUI-Chat-Id":"{{CHAT_ID}}"'),
                 ({"url": self.url.removesuffix("/mcp")}, "tools", "problem", "ends in /mcp")]
        for change, topic, verdict, word in cases:
            with self.subTest(change):
                said = self.one(self.look({**right, **change}), topic)
                self.assertEqual(said[0], verdict)
                self.assertIn(word, said[1])
        private = {**right, "config": {**right["config"], "access_grants": []}}
        off = {**right, "config": {**right["config"], "enable": False}}
        for connection, verdict, word in ((private, "warning", "Only administrators"), (off, "problem", "turn it on")):
            said = [(v, text) for topic, v, text in self.look(connection) if topic == "connection"]
            self.assertIn(verdict, [v for v, text in said if word in text])

    def test_a_url_that_open_webui_cannot_reach_is_named(self):
        away = f"http://127.0.0.1:{free_port()}/mcp"
        verdict, text = self.one(self.look(driver.connection("away", away)), "connection")
        self.assertEqual(verdict, "problem")
        self.assertIn(away, text)
        self.assertIn("README", text)

    def test_a_server_with_another_secret_is_found_by_the_token_that_it_refuses(self):
        other = self.servers.start_codebox("other-secret", secret="another-secret-0123456789-abcdefghijkl")
        verdict, text = self.one(self.look(driver.connection("other", other)), "identity")
        self.assertEqual(verdict, "problem")
        self.assertIn("JWT_SECRET", text)

    def test_who_is_no_administrator_is_told(self):
        verdict, text = self.one(self.look(driver.connection("box", self.url), token=self.ann.token), "administrator")
        self.assertEqual(verdict, "problem")
        self.assertIn("administrator", text)
        lines = self.servers.doctor(SECRET, "--openwebui")
        verdict, text = self.one([tuple(line.values()) for line in lines], "administrator")
        self.assertEqual(verdict, "warning")
        self.assertIn("--token", text)

    def test_people_who_may_not_attach_files_are_named(self):
        path = "/api/v1/users/default/permissions"
        before = self.admin.get(path).json()
        self.addCleanup(lambda: self.admin.post(path, json=before).raise_for_status())
        changed = {**before, "chat": {**before["chat"], "file_upload": False}}
        self.admin.post(path, json=changed).raise_for_status()
        lines = self.look(driver.connection("box", self.url))
        said = [text for topic, verdict, text in lines if (topic, verdict) == ("upload", "warning")]
        self.assertEqual(len(said), 1, lines)
        self.assertIn("File Upload", said[0])

    def test_the_path_for_it_tells_a_caller_only_what_that_caller_sent(self):
        path = self.url.removesuffix("/mcp") + "/connection"
        said = requests.get(path, headers={"X-OpenWebUI-Chat-Id": "{{CHAT_ID}}"}, timeout=30).json()
        self.assertEqual((said["server"], said["chat"], said["message"]), ("codebox", "unfilled", "absent"))
        self.assertIn("Session", said["token"])
        said = requests.get(path, headers={"Authorization": "Bearer " + self.ann.token, "X-OpenWebUI-Message-Id": ""},
                            timeout=30).json()
        self.assertEqual((said["token"], said["chat"], said["message"]), ("ok", "absent", "empty"))
