// Lists the packages of the image, which lie in /node_modules, and Node itself.
import fs from "node:fs";

const found = [{ name: "node", version: process.versions.node }];
for (const entry of fs.existsSync("/node_modules") ? fs.readdirSync("/node_modules") : []) {
  const names = entry.startsWith("@") ? fs.readdirSync(`/node_modules/${entry}`).map((name) => `${entry}/${name}`) : [entry];
  for (const name of names) {
    try {
      const { version } = JSON.parse(fs.readFileSync(`/node_modules/${name}/package.json`, "utf8"));
      if (version) found.push({ name, version });
    } catch {
      // A folder such as .bin that holds no package.
    }
  }
}
console.log(JSON.stringify(found));
