"""Run in the venv of mcp 1.27.2: URL MODE [run]. Prints what the client saw, as JSON."""
import asyncio
import json
import os
import sys

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    url = sys.argv[1]
    headers = {"Authorization": f"Bearer {os.environ['CODEBOX_TOKEN']}"}
    async with httpx.AsyncClient(headers=headers, timeout=120) as http:
        async with streamable_http_client(url, http_client=http) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                hello = await session.initialize()
                await session.send_ping()
                tools = (await session.list_tools()).tools
                seen = {"version": hello.protocolVersion, "tools": [tool.name for tool in tools],
                        "schema": tools[0].inputSchema["type"]}
                if "run" in sys.argv[3:]:
                    result = await session.call_tool("run_python", {"code": "print('from', 6 * 7)"})
                    seen["text"] = result.content[0].text
                    seen["is_error"] = bool(result.isError)
                refused = await session.call_tool("run_python", {"code": ""})
                seen["bad_arguments"] = [bool(refused.isError), refused.content[0].text]
                print(json.dumps(seen))


asyncio.run(main())
