"""Too much of everything. Each flood ends within its limit, with a sentence that names the limit, and others go on:
the median of their calls stays within twice what it is before and after the flood."""
import statistics

import attack

LIMIT = 3
SLOWER = {"memory": 8}  # what takes a loaded machine longer than others to use up
TIMED_OUT = r"timed out after .*: the whole call may take \d s"
# Podman sets no limit on the number of files, so that the agent counts them and names the place.
TOO_MANY = r"256 MiB.*SANDBOX_MAX_DISK|more than \d+ files in /sandbox \(SANDBOX_MAX_DISK\)"
FLOODS = {
    "forks": ("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", TIMED_OUT),
    "threads": ("import threading, time\nfor n in range(5000):\n    threading.Thread(target=time.sleep, args=(60,), daemon=True)"
                ".start()", r"512 processes and threads.*SANDBOX_MAX_PIDS"),
    "memory": ("kept = []\nfor _ in range(160):\n    kept.append(b'x' * (64 << 20))", r"out of memory.*500 MiB.*SANDBOX_MAX_MEMORY"),
    "files": ("for n in range(100_000):\n    open(f'/sandbox/output/{n}', 'w').close()", TOO_MANY),
    "a large file": ("file = open('/sandbox/output/large', 'wb', 0)\nfor _ in range(10 << 10):\n    file.write(b'x' * (1 << 20))\n"
                     "    assert file.tell() <= 10 << 30\nprint('the end')", r"256 MiB.*SANDBOX_MAX_DISK"),
    "output": ("import sys\nwhile True:\n    sys.stdout.write('x' * 65536)", TIMED_OUT),
    "both outputs": ("import os, threading\ndef flood(to):\n    while True:\n        os.write(to, b'y' * 65536)\n"
                     "for to in (1, 2, 1):\n    threading.Thread(target=flood, args=(to,), daemon=True).start()\nflood(2)", TIMED_OUT),
    "tiny writes": ("import os\nfor _ in range(1_000_000):\n    os.write(1, b'z')\nos.write(1, b'the end')", r"the end|" + TIMED_OUT),
    "sockets": ("import os, socket, time\nkept = []\nfor _ in range(5): os.fork()\ntry:\n    while True: kept += socket.socketpair()\n"
                "except OSError as error: print(error.strerror, flush=True)\ntime.sleep(60)", "(?s)Too many open files.*" + TIMED_OUT),
    "open files": ("import os\nkept = []\nwhile True: kept.append(os.open('/dev/null', 0))", "Too many open files"),
    "deep folders": ("import os\nos.chdir('/sandbox/output')\nfor _ in range(100_000):\n    os.mkdir('d')\n    os.chdir('d')",
                     TOO_MANY),
    "long names": ("import itertools\nfor n in itertools.count():\n    open('/sandbox/output/' + str(n).rjust(255, 'n'), 'w').close()",
                   TOO_MANY),
    "zombies": ("import os\nwhile True:\n    try:\n        if os.fork() == 0: os._exit(0)\n    except OSError: pass", TIMED_OUT),
    "orphans": ("import os\nwhile True:\n    if os.fork() == 0:\n        while True:\n            try:\n                if os.fork(): os._exit(0)\n"
                "            except OSError: pass\n    try: os.wait()\n    except OSError: pass", TIMED_OUT + r"|[Rr]esource"),
    "inotify": ("import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nn = 0\nwhile libc.inotify_init1(0) >= 0: n += 1\n"
                "import os\nraise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))", "Too many open files"),
    "signals": ("import os, signal\nsignal.signal(34, lambda *_: None)\nfor _ in range(3): os.fork()\n"
                "while True:\n    for n in range(1000): os.kill(os.getpid(), 34)", TIMED_OUT),
}

# Under gVisor files and processes come slower, and where its kernel wants for processes or memory it ends, and the whole
# sandbox with it.
OWN_KERNEL = TIMED_OUT + r"|the sandbox ended"
ROUNDS = 3  # at most, of idle and flooded calls in turn; the medians of all of them count


class Floods(attack.Case):
    def flood(self, name, code, sentence, limit):
        """One round: how long the flood took, and others' calls beside it."""
        with attack.Neighbours(self.server) as others:
            result, took = attack.timed(lambda: self.run_python(code, user="flood", timeout=limit))
        self.assert_ran(result)
        self.assertRegex(result.text, sentence + ("|" + OWN_KERNEL if self.runtime == "runsc" else ""))
        self.assertLess(len(result.text.encode()), 512 * 1024)
        self.assertEqual([], others.failures[:3], "a neighbour's call failed")
        return took, others.times

    def idle(self):
        with attack.Neighbours(self.server) as others:
            pass
        self.assertEqual([], others.failures[:3], "a neighbour's call failed")
        return others.times

    def test_each_ends_within_its_limit_and_others_go_on(self):
        self.assert_alive()
        for name, (code, sentence) in FLOODS.items():
            limit = SLOWER.get(name, LIMIT)
            with self.subTest(name):
                took, during, idle = [], [], self.idle()
                for _ in range(ROUNDS):
                    one, times = self.flood(name, code, sentence, limit)
                    took.append(one)
                    during += times
                    idle += self.idle()
                    longest, factor = statistics.median(took), statistics.median(during) / statistics.median(idle)
                    if longest < limit + 1 and factor < 2:
                        break
                attack.say(f"flood of {name} {self.runtime}: {longest:.1f} s of {limit} s; others' median {statistics.median(during):.2f} s "
                           f"of {len(during)} calls, idle {statistics.median(idle):.2f} s of {len(idle)}, factor {factor:.2f}, "
                           f"rounds {len(took)}")
                self.assertLess(longest, limit + 1)
                self.assertLess(factor, 2)
