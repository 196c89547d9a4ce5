"""One real call through /mcp: prints the program's output, and where its plot is. Ends 0 when the plot arrived."""
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

PROGRAM = """
import csv, humanize
import matplotlib.pyplot as plt

rows = list(csv.DictReader(open("population.csv", encoding="utf-8")))
for row in rows:
    print(f"{row['city']}: {humanize.intword(int(row['people']))} people")
plt.bar([row["city"] for row in rows], [int(row["people"]) for row in rows])
plt.title("People")
plt.savefig("/sandbox/output/population.png")
"""
CSV = "city,people\nZürich,443037\nCairo,10203693\nTokyo,14094034\n"
VERSION = "2026-07-28"


def call(base: str, token: str, name: str, arguments: dict) -> dict:
    meta = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": name, "arguments": arguments, "_meta": meta}}
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json",
               "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": VERSION,
               "Mcp-Method": "tools/call", "Mcp-Name": name}
    request = urllib.request.Request(base + "/mcp", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=300) as response:
            return json.load(response)
    except urllib.error.HTTPError as failure:
        sys.exit(f"error: the server answered {failure.code}: {failure.read().decode('utf-8', 'replace')}")


def main() -> None:
    base, token = sys.argv[1], os.environ["CODEBOX_TOKEN"]
    answer = call(base, token, "run_python", {
        "code": PROGRAM, "libraries": ["humanize"], "input_files": [{"path": "population.csv", "text": CSV}]})
    if "error" in answer:
        sys.exit(f"error: {answer['error'].get('message')}")
    result = answer["result"]
    text = "\n".join(block["text"] for block in result["content"] if block["type"] == "text")
    print(text)
    if result.get("isError"):
        sys.exit("error: the call failed; the reason is above")
    link = re.search(r"population\.png\]\(([^)\s]+)\)", text)
    if "million people" not in text or not link:
        sys.exit("error: the call came back without the program's output or its plot")
    url = urllib.parse.urlsplit(urllib.parse.urljoin(base, link.group(1)))
    local = base + url.path + ("?" + url.query if url.query else "")
    with urllib.request.urlopen(local, timeout=30) as response:
        picture = response.read()
    if not picture.startswith(b"\x89PNG"):
        sys.exit("error: the plot is not a PNG picture")
    print(f"The plot ({len(picture)} bytes): {local}")


main()
