"""A waiting Node becomes the program, and the program cannot tell."""
import json
import time

import box

IMAGE = "codebox/sandbox-javascript:latest"
PROGRAMS = {
    "require": "console.log(require.main === module, module.id, __filename, process.argv, process.execArgv)",
    "import": "import fs from 'fs';\nconsole.log(import.meta.url, fs.readFileSync(0, 'utf8'), await 5)",
    "loop clock": "const t = Date.now();\nsetTimeout(() => console.log(Date.now() - t >= 290), 300)",
    "throw": "throw new Error('x')",
    "reject": "Promise.reject(new Error('r'))",
    "exit": "process.exit(7)",
    "exit code": "process.on('exit', (code) => console.log('bye', code));\nprocess.exitCode = 3",
    "never settled": "import 'fs';\nawait new Promise(() => {})",
    "syntax": "syntax error here",
    "worker": "const { Worker, isMainThread } = require('worker_threads');\n"
              "if (isMainThread) new Worker(__filename).on('exit', (code) => console.log('worker', code));\n"
              "else console.log('in it', process.execArgv.length)",
    "fork": "if (process.send) console.log('child', process.execArgv.length);\nelse require('child_process').fork(__filename)",
    "spawn": "console.log(require('child_process').execFileSync(process.execPath, ['-p', 'process.argv.length']).toString())",
    "input": "process.stdin.on('data', (data) => console.log(String(data)))",
    "signal": "process.kill(process.pid, 'SIGTERM');\nsetTimeout(() => {}, 5000)",
    "handler": "process.on('SIGUSR2', () => { console.log('heard'); process.exit(0) });\n"
               "setTimeout(() => process.kill(process.pid, 'SIGUSR2'), 10);\nsetTimeout(() => {}, 5000)",
    "place": "console.log(process.cwd(), process.title, process.memoryUsage().rss > 0)",
    "environment": "console.log(Object.entries(process.env).sort().join('\\n'))",
    "random": "console.log(new Set([1, 2, 3].map(() => Math.random())).size)",
}
UPTIME = "console.log('UP=' + Math.floor(process.uptime() * 1000))"


class WaitingNode(box.Case):
    def setUp(self):
        super().setUp()
        if box.engine_cli("image", "inspect", IMAGE, check=False).returncode != 0:
            self.skipTest("the image of JavaScript is not there")
        plugins = box.pathlib.Path(box.codebox).resolve().parent.parent / "plugins"
        if not (plugins / "javascript.so").exists():
            self.skipTest("the plugin of JavaScript was not built")

    def serve(self, size) -> box.Server:
        server = self.enterContext(box.Server(SANDBOX_LANGUAGES="javascript", SANDBOX_POOL_SIZE=size))
        server.wait_ready()
        return server

    @staticmethod
    def waiting(server, since=0.0):
        if time.monotonic() < since + 1.2:   # what the file says is up to a second old
            return False
        try:
            kinds = json.loads((server.state / "state" / "pool").read_text())["kinds"]
        except (OSError, ValueError):   # it is being written
            return False
        return any(kind["preloaded"] for kind in kinds)

    @staticmethod
    def run_it(server, code, **arguments):
        result = server.call("run_javascript", code=code, **arguments)
        return result.is_error, box.re.sub(r"[0-9.]+ s\b", "? s", result.text)

    def test_a_program_cannot_tell_that_its_node_had_waited(self):
        warm, cold = self.serve("2"), self.serve("0")
        for name, code in PROGRAMS.items():
            for given in ({}, {"stdin": "hello"}):
                box.wait_until(lambda: self.waiting(warm), 120, "a Node waits")
                with self.subTest(name, **given):
                    self.assertEqual(self.run_it(warm, code, **given), self.run_it(cold, code, **given))

    def test_a_call_gets_a_node_that_had_waited(self):
        server = self.serve("2")

        def uptime():
            begun = time.monotonic()
            box.wait_until(lambda: self.waiting(server, begun), 120, "a Node waits")
            return int(box.re.search(r"UP=(\d+)", self.run_it(server, UPTIME)[1])[1])

        # It has been up for the second at least in which the pool was looked at; a fresh one has not.
        box.wait_until(lambda: uptime() > 1000, 60, "a call gets a Node that had waited")
