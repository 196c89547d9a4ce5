// Turns the program into JavaScript just before Node loads it. Types are dropped, not checked: a program that a type
// checker dislikes still runs. The map in it keeps the line numbers of errors true.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { isMainThread } from "node:worker_threads";

// Threads and processes that a program forks load this file as well, and find it done.
if (isMainThread && !process.send) {
  const options = ["--format=esm", "--target=es2022", "--sourcemap=inline", "--log-level=warning"];
  const files = ["main.ts", `--outfile=${process.argv[1]}`];
  const { error, status } = spawnSync("esbuild", [...files, ...options], { stdio: ["ignore", 1, 2] });
  if (error) fs.writeSync(2, `The program was not compiled: ${error.message}\n`);
  if (status !== 0) process.exit(1);
}
