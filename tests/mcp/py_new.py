"""Run in the venv of mcp 2.3.0: URL MODE [run]. Prints what the client saw, as JSON."""
import asyncio
import json
import os
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    url, mode = sys.argv[1:3]
    headers = {"Authorization": f"Bearer {os.environ['CODEBOX_TOKEN']}"}
    async with httpx2.AsyncClient(headers=headers, timeout=120) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            tools = (await client.list_tools()).tools
            seen = {"tools": [tool.name for tool in tools], "schema": tools[0].input_schema["type"]}
            if "run" in sys.argv[3:]:
                result = await client.call_tool("run_python", {"code": "print('from', 6 * 7)"})
                seen["text"] = result.content[0].text
                seen["is_error"] = bool(result.is_error)
            refused = await client.call_tool("run_python", {"code": ""})
            seen["bad_arguments"] = [bool(refused.is_error), refused.content[0].text]
            print(json.dumps(seen))


asyncio.run(main())
