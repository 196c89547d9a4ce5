"""Acts on a running Open WebUI as its browser would: signs in, connects tools, attaches files, chats."""
import json
import os
import re
import time
import uuid
from pathlib import Path

import requests

FILE_LINK = re.compile(r"/api/v1/files/([0-9a-f-]{36})/content")
MODEL = os.environ.get("SCRIPTED_ID", "scripted")
CONNECTIONS = Path(__file__).resolve().parents[2] / "config" / "openwebui"


def connection(server_id, url, kind="mcp"):
    """The connection that the documentation shows, open to every user, for a server; `url` is that of its MCP endpoint."""
    shown = json.loads((CONNECTIONS / f"{kind}.json").read_text())[0]
    return {**shown, "url": url if kind == "mcp" else url.removesuffix("/mcp"),
            "info": {"id": server_id, "name": server_id, "description": ""}}


def tools(server_id, kind="mcp"):
    """What a chat names to have the tools of that connection."""
    return ["server:mcp:" + server_id if kind == "mcp" else "server:" + server_id]


class Person:
    """Somebody who is signed in."""

    def __init__(self, base, email, password):
        self.base = base
        self.session = requests.Session()
        body = {"email": email, "password": password}
        reply = requests.post(base + "/api/v1/auths/signin", json=body, timeout=60)
        reply.raise_for_status()
        self.token = reply.json()["token"]
        self.session.headers["Authorization"] = "Bearer " + self.token

    def get(self, path):
        return self.session.get(self.base + path, timeout=60)

    def post(self, path, **arguments):
        return self.session.post(self.base + path, timeout=120, **arguments)

    def add_person(self, name):
        body = {"email": f"{name}@example.test", "password": "userpass1234", "name": name, "role": "user"}
        self.post("/api/v1/auths/add", json=body).raise_for_status()
        return Person(self.base, body["email"], body["password"])

    def verify(self, one):
        return self.post("/api/v1/configs/tool_servers/verify", json=one)

    def connect(self, *connections):
        body = {"TOOL_SERVER_CONNECTIONS": list(connections)}
        self.post("/api/v1/configs/tool_servers", json=body).raise_for_status()

    def attach(self, name, data, content_type):
        """Uploads a file; the item that the browser then puts on a message."""
        reply = self.post("/api/v1/files/?process=false", files={"file": (name, data, content_type)})
        reply.raise_for_status()
        stored = reply.json()
        return {"type": "file", "id": stored["id"], "url": stored["id"], "name": stored["filename"],
                "content_type": stored["meta"]["content_type"], "size": stored["meta"]["size"],
                "status": "uploaded", "file": stored}

    def say(self, text, tools, files=()):
        """Sends a message; the ids of its chat and of the answer to come."""
        asked, answer = str(uuid.uuid4()), str(uuid.uuid4())
        attached = {"files": list(files)} if files else {}
        message = {"id": asked, "parentId": None, "childrenIds": [], "role": "user", "content": text,
                   "timestamp": int(time.time()), "models": [MODEL], **attached}
        body = {"stream": True, "model": MODEL, "messages": [{"role": "user", "content": text}],
                "tool_ids": list(tools), "features": {}, "id": answer, "parent_id": None,
                "user_message": message, "params": {}, "session_id": "tests-" + uuid.uuid4().hex[:8], **attached}
        reply = self.post("/api/chat/completions", json=body)
        reply.raise_for_status()
        return reply.json()["chat_id"], answer

    def message(self, chat, answer):
        """A message as the chat keeps it; None where it is not there yet."""
        return self.get("/api/v1/chats/" + chat).json()["chat"]["history"]["messages"].get(answer)

    def answer(self, chat, answer, patience=180):
        """Waits until the answer is done; the message as the chat keeps it."""
        end, message = time.time() + patience, None
        while time.time() < end:
            message = self.message(chat, answer)
            if message and (message.get("done") or message.get("error")):
                return message
            time.sleep(0.2)
        raise TimeoutError(json.dumps(message)[:2000])

    def run(self, tools, arguments, tool="run_python", files=()):
        """One turn in which the model calls the tool with these arguments."""
        return self.answer(*self.say(f"CALL {tool} {json.dumps(arguments)}", tools, files))

    def stop(self, chat):
        self.post(f"/api/tasks/chat/{chat}/stop").raise_for_status()


def linked_files(message):
    """Ids of the files that the answer links to."""
    return sorted(set(FILE_LINK.findall(json.dumps(message))))
