"""Nothing that a call leaves is seen by another: five hundred calls of every kind, four at a time, that leave marks
wherever a program can and look for those of the others."""
import concurrent.futures
import json
import pathlib
import time

import box

MARKS = (pathlib.Path(__file__).parent / "marks.py").read_text(encoding="utf-8")
CALLS, TOGETHER, PRELOADED = 500, 4, 8


class SingleUse(box.Case):
    def test_nothing_of_one_call_is_seen_by_any_of_five_hundred(self):
        server = self.enterContext(box.Server(
            SANDBOX_PACKAGE_LAYERS="true", SANDBOX_POOL_SIZE=str(PRELOADED), SANDBOX_POOL_MEMORY="4GB",
            SANDBOX_MAX_MEMORY="300MB", SANDBOX_MAX_DISK="64MB", SANDBOX_MAX_INSTALL="200MB", LOG_LEVEL="debug"))
        server.wait_ready()
        self.assert_ran(server.call(code="import humanize", libraries=["humanize"]))
        box.wait_until(lambda: "holds humanize" in server.log(), 60, "the layer is made")
        box.wait_until(lambda: self.waiting(server) >= PRELOADED, 180, "interpreters wait")
        started = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(TOGETHER) as pool:
            seen = list(pool.map(lambda number: self.one(server, number), range(CALLS)))
        print(f"{CALLS} calls in {time.monotonic() - started:.1f} s, ", {
            kind: sum(call[kind] for call in seen) for kind in ("preloaded", "layered")}, flush=True)
        for call in seen:
            self.assertEqual(call["found"], [], call["who"])
        self.assertEqual(len({call["who"] for call in seen}), CALLS)
        self.assertEqual(len({call["random"] for call in seen}), CALLS, "no two began with the same random numbers")
        self.assertGreater(len({call["uid"] for call in seen}), CALLS // 2)
        self.assertGreaterEqual(sum(call["preloaded"] for call in seen), PRELOADED // 2)
        self.assertGreaterEqual(sum(call["layered"] for call in seen), CALLS // 10)

    @staticmethod
    def waiting(server) -> int:
        try:
            state = json.loads((server.state / "state" / "pool").read_text())
        except ValueError:
            return 0
        return sum(kind["preloaded"] for kind in state["kinds"])

    def one(self, server, number) -> dict:
        files = [{"path": "who.txt", "text": str(number)}]
        arguments = {}
        if number % 5 == 3:
            arguments["libraries"] = ["humanize"]
        if number % 5 == 4:
            files.append({"path": "own.py", "text": "x = 1\n"})   # a fresh interpreter
        result = server.call(code=MARKS, input_files=files, user=f"user{number % 7}", **arguments)
        self.assert_ran(result)
        return json.loads(next(line for line in result.text.splitlines() if line.startswith('{"who"')))
