// A Node that has started and waits on descriptor 3 to be told what it becomes; the program's own start is what is left.
import fs from "node:fs";
import { isMainThread } from "node:worker_threads";
// Loaded ahead since most programs use them, and nothing of them shows.
import "node:assert";
import "node:child_process";
import "node:crypto";
import "node:fs/promises";
import "node:net";
import "node:os";
import "node:readline";
import "node:stream/promises";
import "node:timers/promises";
import "node:tty";
import "node:url";
import "node:util";
import "node:zlib";

const CONTROL = 3;

function request() {
  const parts = [];
  const part = Buffer.alloc(65536);
  for (let got; (got = fs.readSync(CONTROL, part)) > 0; ) parts.push(Buffer.from(part.subarray(0, got)));
  fs.closeSync(CONTROL);
  const fields = Buffer.concat(parts).toString("utf8").split("\0").slice(0, -1);
  if (fields.length === 0) process.exit(0);
  fields.splice(0, Number(fields[0]) + 1); // its arguments are those that it was started with
  const env = fields.splice(0, Number(fields[0]) + 1).slice(1);
  return { env, folder: fields[0], stdin: fields[1] };
}

function takeEnvironment(env) {
  const wanted = new Map(env.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]));
  for (const name of Object.keys(process.env)) if (!wanted.has(name)) delete process.env[name];
  for (const [name, value] of wanted) if (process.env[name] !== value) process.env[name] = value;
}

// A program and its child processes see the options that it would have had.
const own = process.execArgv.findIndex((option) => option.endsWith("/node_wait.mjs"));
if (own > 0) process.execArgv.splice(own - 1, 2);

// A program's threads load this file as well, and have nothing to wait for.
if (isMainThread) {
  fs.writeSync(CONTROL, "\n");
  const { env, folder, stdin } = request();
  takeEnvironment(env);
  if (process.cwd() !== folder) process.chdir(folder);
  if (stdin === "null") {
    fs.closeSync(0);
    fs.openSync("/dev/null", "r"); // the lowest number that is free
  }
  // Timers count from the loop's clock, which stood still.
  await new Promise((go) => setImmediate(go));
}
