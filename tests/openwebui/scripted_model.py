"""An OpenAI-compatible model that does what the user message says: python scripted_model.py PORT

`CALL name {json}` (repeatable) makes it call those tools; after their results it answers with the last one.
SCRIPTED_ID may say what it is called; SCRIPTED_SCENES may name a JSON file of scenes {"text", "tool", "arguments",
"answer"} for what a person really says;
"{pictures}" and "{files}" in an answer become the links that the tool's result offers.
"""
import json
import os
import re
import sys

from aiohttp import web

NAME = os.environ.get("SCRIPTED_ID", "scripted")
CALL = re.compile(r"CALL (\S+) (\{.*?\})(?=\s*(?:CALL \S+ \{|$))", re.S)


def text_of(content):
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") if isinstance(part, dict) else str(part) for part in content or [])


def is_request(message):
    """A user's message, not the one in which Open WebUI hands over pictures of a tool."""
    return message["role"] == "user" and not text_of(message["content"]).startswith("Here are the images")


def scenes():
    path = os.environ.get("SCRIPTED_SCENES")
    if not path:
        return []
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def scene_of(text):
    return next((scene for scene in scenes() if scene["text"] in text), None)


def answer(scene, result):
    pictures = "\n".join(re.findall(r"!\[[^\]]*\]\([^)]*\)", result))
    files = ", ".join(re.findall(r"(?<!!)\[[^\]]*\]\([^)]*\)", result))
    return scene["answer"].replace("{pictures}", pictures).replace("{files}", files)


def decide(body):
    """The tool calls and the text of the answer."""
    messages = body["messages"]
    last = max((i for i, message in enumerate(messages) if is_request(message)), default=None)
    if last is None:
        return [], "HELLO"
    results = [text_of(message["content"]) for message in messages[last + 1:] if message["role"] == "tool"]
    scene = scene_of(text_of(messages[last]["content"]))
    if results and scene:
        return [], answer(scene, results[-1])
    if results:
        return [], "TOOLSAID: " + results[-1][:20000]
    offered = [tool["function"]["name"] for tool in body.get("tools") or []]
    wanted = CALL.findall(text_of(messages[last]["content"]))
    if scene:
        wanted = [(scene["tool"], json.dumps(scene["arguments"]))]
    if not wanted or not offered:
        return [], "HELLO, I HAVE " + " ".join(offered)

    def full(name):
        return next((one for one in offered if one == name or one.endswith("_" + name)), name)

    calls = [{"index": i, "id": f"call_{i}", "type": "function",
              "function": {"name": full(name), "arguments": given}} for i, (name, given) in enumerate(wanted)]
    return calls, ""


async def models(_):
    model = {"id": NAME, "object": "model", "owned_by": "tests"}
    return web.json_response({"object": "list", "data": [model]})


async def chat(request):
    body = await request.json()
    calls, text = decide(body)
    head = {"id": "x", "created": 1, "model": NAME}
    finish = "tool_calls" if calls else "stop"
    message = {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}
    if not body.get("stream"):
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return web.json_response({**head, "object": "chat.completion", "usage": usage,
                                  "choices": [{"index": 0, "finish_reason": finish, "message": message}]})
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for delta, reason in ((message, None), ({}, finish)):
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        chunk = {**head, "object": "chat.completion.chunk", "choices": [choice]}
        await response.write(f"data: {json.dumps(chunk)}\n\n".encode())
    await response.write(b"data: [DONE]\n\n")
    await response.write_eof()
    return response


if __name__ == "__main__":
    app = web.Application(client_max_size=200 * 2**20)
    app.router.add_get("/v1/models", models)
    app.router.add_post("/v1/chat/completions", chat)
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None)
