"""What a call pays for the status line, chips and pages of its chat, also where Open WebUI takes no events.

CODEBOX_COST_ROUNDS says how many calls of each kind are timed (default 8). Calls with and without a chat take turns, so
that what else the machine does meets both."""
import json
import os
import statistics
import time
import unittest

import driver
import requests
from half_dead import MODES, HalfDead
from servers import ADMIN, with_open_webui

ROUNDS = int(os.environ.get("CODEBOX_COST_ROUNDS", "8"))
PRINT = "print(1)"
PAGE = "open('output/page.html', 'w').write('<p>' + 'x' * 500_000)"


class OfEvents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.servers = with_open_webui(cls.addClassCleanup)
        cls.ann = driver.Person(cls.servers.url, *ADMIN).add_person("ann")
        cls.chat, cls.answer = cls.ann.say("hello", [])
        cls.ann.answer(cls.chat, cls.answer)

    def seconds(self, url, code, ids):
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "run_python", "arguments": {"code": code}}}
        headers = {"Authorization": "Bearer " + self.ann.token, "Accept": "application/json, text/event-stream",
                   "MCP-Protocol-Version": "2025-11-25", **ids}
        began = time.perf_counter()
        reply = requests.post(url, json=body, headers=headers, timeout=170)
        took = time.perf_counter() - began
        self.assertIn("[exit status 0", reply.text)
        time.sleep(0.4)  # the pace of a chat: the pool has the next sandbox ready
        return took

    def compare(self, mode, code):
        """Whoever waited for a lost event would wait for seconds; what a busy machine adds is less."""
        way = HalfDead(self.servers.url, mode)
        self.addCleanup(way.end)
        url = self.servers.start_codebox(f"{mode}-{len(code)}", OWUI_BASE_URL=way.url, SANDBOX_POOL_SIZE="3",
                                         RATE_LIMIT_RPS="1000", RATE_LIMIT_BURST="1000")
        ids = {"X-OpenWebUI-Chat-Id": self.chat, "X-OpenWebUI-Message-Id": self.answer}
        self.seconds(url, code, {})  # the first also asks who the person is
        taken = {True: [], False: []}
        for turn in range(ROUNDS):
            for chat in (turn % 2 == 0, turn % 2 == 1):
                taken[chat].append(self.seconds(url, code, ids if chat else {}))
        self.assertGreater(way.events, 0, "no event was tried")
        middle = {chat: statistics.median(taken[chat]) for chat in taken}
        print(json.dumps({"events": mode, "page": code == PAGE, "ms with a chat": round(middle[True] * 1000, 1),
                          "ms without": round(middle[False] * 1000, 1),
                          "least": [round(min(taken[chat]) * 1000, 1) for chat in (True, False)],
                          "ratio": round(middle[True] / middle[False], 3)}), flush=True)
        with self.subTest(mode):
            quick = {chat: statistics.quantiles(taken[chat])[0] for chat in taken}
            self.assertLess(quick[True], 1.5 * quick[False] + 0.25)

    def test_calls_with_a_chat_are_as_fast_as_without_whatever_becomes_of_its_events(self):
        for mode in MODES:
            self.compare(mode, PRINT)

    def test_a_page_in_the_chat_does_not_hold_up_its_call(self):
        for mode in ("alive", "slow"):
            self.compare(mode, PAGE)
