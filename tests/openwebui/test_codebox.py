"""What a person with Open WebUI gets from the server: tools, files in and out, Stop, and clear refusals."""
import json
import subprocess
import time
import unittest
import uuid

import driver
import requests
from servers import ADMIN, SECRET, with_open_webui

TOOLS = ["server:mcp:box"]
PICTURE = """
import struct, zlib
def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
def png():
    head = struct.pack('>IIBBBBB', 4, 4, 8, 2, 0, 0, 0)
    rows = (b'\\0' + b'\\xff\\0\\0' * 4) * 4
    data = chunk(b'IHDR', head) + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b'')
    return b'\\x89PNG\\r\\n\\x1a\\n' + data
"""


def sandboxes_running(marker):
    """Containers of Codebox in which a process with this marker runs."""
    def said(*argv):
        return subprocess.run(["docker", *argv], capture_output=True, text=True).stdout

    listed = said("ps", "-q", "--filter", "label=codebox.instance").split()
    return [one for one in listed if marker in said("top", one)]


def wait_until(condition, patience):
    end = time.time() + patience
    while time.time() < end:
        if condition():
            return True
        time.sleep(0.2)
    return False


class WithOpenWebUi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.servers = with_open_webui(cls.addClassCleanup)
        cls.url = cls.servers.start_codebox("codebox")
        cls.admin = driver.Person(cls.servers.url, *ADMIN)
        cls.ann = cls.admin.add_person("ann")
        cls.eve = cls.admin.add_person("eve")
        cls.admin.connect(driver.connection("box", cls.url))

    def download(self, person, file_id):
        return person.get(f"/api/v1/files/{file_id}/content")

    def test_the_administrator_verifies_the_connection_and_sees_the_tools(self):
        reply = self.admin.verify(driver.connection("box", self.url))
        self.assertEqual(reply.status_code, 200, reply.text)
        self.assertIn("run_python", reply.text)
        self.assertIn("list_python_packages", reply.text)

    def test_a_csv_goes_in_and_a_picture_and_a_csv_come_out_for_their_owner_alone(self):
        sales = self.ann.attach("sales data.csv", b"item,price\na,1500000\n", "text/csv")
        code = PICTURE + "\n".join([
            "import csv, humanize, os",
            "row = list(csv.DictReader(open('sales.csv')))[0]",
            "os.makedirs('output', exist_ok=True)",
            "open('output/plot.png', 'wb').write(png())",
            "open('output/result.csv', 'w').write('price\\n' + humanize.intcomma(int(row['price'])) + '\\n')",
            "print('made for', row['item'])"])
        arguments = {"code": code, "libraries": ["humanize"],
                     "input_files": [{"id": sales["id"], "path": "sales.csv"}]}
        message = self.ann.run(TOOLS, arguments, files=[sales])
        self.assertIn("made for a", message["content"])
        made = [one for one in driver.linked_files(message) if one != sales["id"]]
        replies = [self.download(self.ann, one) for one in made]
        got = {reply.headers["Content-Type"].split(";")[0]: reply.content for reply in replies}
        self.assertEqual(got.get("text/csv"), b"price\n1,500,000\n")
        self.assertTrue(got.get("image/png", b"").startswith(b"\x89PNG"), list(got))
        for one in [*made, sales["id"]]:
            self.assertEqual(self.download(self.eve, one).status_code, 404)

    def test_a_file_is_found_by_the_name_that_stands_in_the_chat(self):
        first = self.ann.attach("by name.csv", b"x\n41\n", "text/csv")
        arguments = {"code": "print(open('by name.csv').read())", "input_files": ["by name.csv"]}
        message = self.ann.run(TOOLS, arguments, files=[first])
        self.assertIn("41", message["content"])

    def test_a_file_is_named_as_people_do_and_what_a_program_made_can_be_used_again(self):
        sales = self.ann.attach("Sales Data.csv", b"x\n43\n", "text/csv")
        calls = [("run_python", {"code": "open('output/made.csv', 'w').write(open('sales_data.csv').read())",
                                 "input_files": ["sales_data.csv"]}),
                 ("run_python", {"code": "print(open('made.csv').read())", "input_files": ["made.csv"]}),
                 ("run_python", {"code": "1", "input_files": ["mde.csv"]}),
                 ("list_files", {})]
        said = " ".join(f"CALL {tool} {json.dumps(arguments)}" for tool, arguments in calls)
        message = self.ann.answer(*self.ann.say(said, TOOLS, [sales]))
        results = [json.dumps(one["output"]) for one in message["output"] if one["type"] == "function_call_output"]
        self.assertEqual(len(results), 4, message)
        self.assertIn("43", results[1])
        self.assertIn('did you mean \\\\\\"made.csv', results[2])
        self.assertIn("Sales Data.csv (5 B, attached", results[3])
        self.assertIn("made.csv (5 B, made by a program", results[3])

    def status_lines(self, chat, answer, last):
        """What the chat kept of the status line, once it says `last`."""
        lines = []

        def there():
            message = self.ann.message(chat, answer) or {}
            lines[:] = [one for one in message.get("statusHistory") or [] if "Python:" in one.get("description", "")]
            return any(last in one["description"] for one in lines)

        self.assertTrue(wait_until(there, 60), lines)
        return lines

    def test_the_chat_says_what_a_call_is_doing_and_shows_its_files(self):
        code = "import time\ntime.sleep(3)\nopen('output/a.csv', 'w').write('x')\n1 / 0"
        chat, answer = self.ann.say("CALL run_python " + json.dumps({"code": code}), TOOLS)
        self.status_lines(chat, answer, "running (2 s)")
        message = self.ann.answer(chat, answer)
        lines = self.status_lines(chat, answer, "failed")
        self.assertIn("ZeroDivisionError: division by zero", lines[-1]["description"])
        self.assertTrue(lines[-1]["done"])
        self.assertFalse(any(one["done"] for one in lines[:-1]), lines)
        chips = self.ann.message(chat, answer)["files"]
        self.assertEqual([chip["name"] for chip in chips], ["a.csv"], message)

    def test_somebody_elses_file_is_as_unknown_as_one_that_never_was(self):
        hers = self.ann.attach("hers.csv", b"secret\n", "text/csv")
        said = []
        for one in (hers["id"], str(uuid.uuid4())):
            arguments = {"code": "print(open('x').read())", "input_files": [{"id": one, "path": "x"}]}
            message = self.eve.run(TOOLS, arguments)
            self.assertNotIn("secret", json.dumps(message))
            said.append(message["content"].replace(one, "ID"))
        self.assertEqual(said[0], said[1])
        self.assertIn("No file", said[0])

    def test_an_svg_is_linked_and_the_turn_survives(self):
        code = ("import os\nos.makedirs('output', exist_ok=True)\n"
                "open('output/plot.svg', 'w').write('<svg xmlns=\"http://www.w3.org/2000/svg\"/>')")
        message = self.ann.run(TOOLS, {"code": code})
        self.assertFalse(message.get("error"), message)
        made = driver.linked_files(message)
        self.assertEqual(len(made), 1, message)
        self.assertTrue(self.download(self.ann, made[0]).headers["Content-Type"].startswith("image/svg+xml"))

    def test_unusual_names_come_out_unchanged(self):
        names = ["Simple – Générer.js", "数据 表.csv", "with \"quotes\" and 'ones'.txt", "n" * 251 + ".txt"]
        code = ("import os\nos.makedirs('output', exist_ok=True)\n"
                f"for name in {names!r}:\n    open('output/' + name, 'w').write('x')")
        message = self.ann.run(TOOLS, {"code": code})
        made = [self.ann.get(f"/api/v1/files/{one}").json() for one in driver.linked_files(message)]
        found = {one["meta"]["name"] for one in made}
        self.assertEqual(found, set(names))

    def test_stop_removes_the_sandbox_within_seconds(self):
        marker = f"9{uuid.uuid4().int % 10**8:08d}"
        code = f"import subprocess\nsubprocess.run(['sleep', '{marker}'])"
        chat, _ = self.ann.say("CALL run_python " + json.dumps({"code": code}), TOOLS)
        self.assertTrue(wait_until(lambda: sandboxes_running(marker), 60), "the program never started")
        self.ann.stop(chat)
        self.assertTrue(wait_until(lambda: not sandboxes_running(marker), 15), "the sandbox outlived Stop")

    def test_whoever_calls_with_an_api_key_is_its_owner(self):
        settings = self.admin.get("/api/v1/auths/admin/config").json()
        self.admin.post("/api/v1/auths/admin/config", json={**settings, "ENABLE_API_KEYS": True}).raise_for_status()
        key = self.admin.post("/api/v1/auths/api_key").json()["api_key"]
        hers = self.admin.attach("of the admin.csv", b"x\n42\n", "text/csv")
        code = ("import os\nos.makedirs('output', exist_ok=True)\n"
                "open('output/out.txt', 'w').write(open('in.csv').read())")
        arguments = {"code": code, "input_files": [{"id": hers["id"], "path": "in.csv"}]}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "run_python", "arguments": arguments}}
        headers = {"Authorization": "Bearer " + key, "Accept": "application/json, text/event-stream",
                   "MCP-Protocol-Version": "2025-11-25"}
        reply = requests.post(self.url, json=body, headers=headers, timeout=170)
        self.assertEqual(reply.status_code, 200, reply.text)
        made = driver.FILE_LINK.findall(reply.text)
        self.assertEqual(len(made), 1, reply.text)
        self.assertEqual(self.download(self.admin, made[0]).text.split(), ["x", "42"])
        self.assertEqual(self.download(self.eve, made[0]).status_code, 404)
        refused = requests.post(self.url, json=body, headers={**headers, "Authorization": "Bearer sk-" + "0" * 32}, timeout=60)
        self.assertEqual(refused.status_code, 401)
        self.assertIn("does not accept this API key", refused.json()["error"]["message"])
        other = requests.post(self.url, json=body, headers={**headers, "X-OpenWebUI-User-Id": "somebody-else"}, timeout=60)
        self.assertEqual(other.status_code, 401)
        self.assertIn("another person's", other.json()["error"]["message"])

    def test_doctor_tells_whether_the_secret_is_open_webuis(self):
        for secret, verdict in ((SECRET, "ok"), ("another-secret-0123456789-abcdefghijkl", "problem")):
            found = {line["topic"]: line for line in self.servers.doctor(secret)}
            self.assertEqual(found["open-webui"]["verdict"], "ok", found)
            self.assertEqual(found["clock"]["verdict"], "ok", found)
            self.assertEqual(found["secret"]["verdict"], verdict, found)
            self.assertNotIn(secret, json.dumps(found))

    def test_a_wrong_secret_fails_the_connection_with_a_sentence(self):
        url = self.servers.start_codebox("wrong-secret", secret="another-secret-0123456789-abcdefghijkl")
        wrong = driver.connection("wrong", url)
        self.assertNotEqual(self.admin.verify(wrong).status_code, 200)
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        headers = {"Authorization": "Bearer " + self.ann.token,
                   "Accept": "application/json, text/event-stream"}
        reply = requests.post(url, json=body, headers=headers, timeout=30)
        self.assertEqual(reply.status_code, 401)
        self.assertIn("JWT_SECRET", reply.json()["error"]["message"])
        self.admin.connect(driver.connection("box", self.url), wrong)
        self.ann.answer(*self.ann.say("hello", ["server:mcp:wrong"]))
        self.assertIn("JWT_SECRET", self.servers.log("openwebui"))
