// node client.mjs URL [run]. Prints what the client saw, as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, ...words] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${process.env.CODEBOX_TOKEN}` };
const client = new Client({ name: "codebox-tests", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
await client.ping();
const { tools } = await client.listTools();
const seen = { tools: tools.map((tool) => tool.name), schema: tools[0].inputSchema.type };
if (words.includes("run")) {
  const result = await client.callTool({ name: "run_python", arguments: { code: "print('from', 6 * 7)" } });
  seen.text = result.content[0].text;
  seen.is_error = Boolean(result.isError);
}
const refused = await client.callTool({ name: "run_python", arguments: { code: "" } });
seen.bad_arguments = [Boolean(refused.isError), refused.content[0].text];
console.log(JSON.stringify(seen));
await client.close();
