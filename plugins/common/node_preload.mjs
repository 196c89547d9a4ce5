// Runs before the program: what programs written for either kind of module expect is there in both.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const folder = process.cwd();
const program = path.join(folder, "main.js");
globalThis.require ??= createRequire(program);
globalThis.__dirname ??= folder;
globalThis.__filename ??= program;

// Modules find packages only in folders above themselves, never by NODE_PATH.
const installed = process.env.CODEBOX_NODE_MODULES;
if (installed && fs.existsSync(installed)) {
  try {
    fs.symlinkSync(installed, path.join(folder, "node_modules"));
  } catch {
    // The caller brought a folder of that name: it is the one that counts.
  }
}
