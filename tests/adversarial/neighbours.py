"""What one sandbox uses up, another and the host still have: two run at once, and the second does what the first can no more."""
import os
import pathlib
import pty
import threading
import time

import attack
import box

READY = "\nimport ctypes, time\nctypes.CDLL(None).prctl(15, b'adv-ready', 0, 0, 0)\ntime.sleep(60)\n"


def somebody_is_ready() -> bool:
    for entry in pathlib.Path("/proc").glob("[0-9]*/comm"):
        try:
            if entry.read_text().strip() == "adv-ready":
                return True
        except OSError:
            pass
    return False


class Exhausted(attack.Case):
    def both(self, greedy, modest):
        """Runs `modest` while the first sandbox has taken all it could; gives both results."""
        first = []
        worker = threading.Thread(target=lambda: first.append(self.run_python(greedy + READY, user="greedy", timeout=6)))
        worker.start()
        try:
            if self.runtime:
                time.sleep(2)  # a runtime that hides its processes from the host
            else:
                box.wait_until(lambda: somebody_is_ready() or not worker.is_alive(), 20, "the first sandbox has taken all")
            second = self.run_python(modest, user="modest")
            still = worker.is_alive()
        finally:
            worker.join()
        self.assert_ran(second)
        if self.runtime == "runsc" and "the sandbox ended" in first[0].text:
            return first[0], second  # its kernel wanted for more itself, and took nothing along but its own sandbox
        self.assertIn("timed out", first[0].text)
        self.assertTrue(still, "the first had ended before the second: " + first[0].text[-500:])
        return first[0], second

    def check(self, greedy, modest):
        _, second = self.both(greedy, modest + "\nprint('it works')")
        self.assertIn("it works", second.text)

    def test_inotify_instances_and_watches(self):
        self.check("import ctypes\nlibc = ctypes.CDLL(None)\nwhile libc.inotify_init1(0) >= 0: pass",
                   "import ctypes\nlibc = ctypes.CDLL(None)\nf = libc.inotify_init1(0)\nassert f >= 0\n"
                   "assert libc.inotify_add_watch(f, b'/sandbox', 0xfff) >= 0")

    def test_processes(self):
        self.check("import os, time\nwhile True:\n    try:\n        if os.fork() == 0: time.sleep(60)\n    except OSError: break",
                   "import subprocess, threading\nfor _ in range(20): subprocess.run(['true'], check=True)\n"
                   "for _ in range(100): threading.Thread(target=lambda: 0).start()")

    def test_ports_and_abstract_sockets(self):
        self.check("import socket\nkept = []\na = socket.socket(socket.AF_UNIX)\na.bind('\\0codebox')\na.listen()\ntry:\n"
                   "    for port in range(1024, 1900): kept.append(socket.create_server(('127.0.0.1', port)))\nexcept OSError: pass",
                   "import socket\nfor port in (1024, 1500, 1800): socket.create_server(('127.0.0.1', port))\n"
                   "a = socket.socket(socket.AF_UNIX)\na.bind('\\0codebox')\nb = socket.socket()\n"
                   "assert b.connect_ex(('127.0.0.1', 1700)) != 0, 'another sandbox is in reach'")

    def test_shared_memory_queues_and_semaphores(self):
        self.check("import ctypes\nlibc = ctypes.CDLL(None)\nfor n in range(5000): libc.shmget(n + 1, 4096, 0o1666)\n"
                   "for n in range(40000): libc.semget(n + 1, 1, 0o1666) >= 0 and None\nfor n in range(40000): libc.msgget(n + 1, 0o1666)",
                   "import ctypes\nlibc = ctypes.CDLL(None)\nassert libc.shmget(1, 4096, 0) < 0, 'another sandbox is in sight'\n"
                   "assert libc.shmget(1, 4096, 0o1666) >= 0 and libc.semget(1, 1, 0o1666) >= 0 and libc.msgget(1, 0o1666) >= 0")

    def test_open_files_and_locks(self):
        self.check("import ctypes, os, time\nlibc = ctypes.CDLL(None)\nkept = []\nfor _ in range(5): os.fork()\ntry:\n    while True:\n"
                   "        kept.append(os.open('/dev/null', 0))\nexcept OSError: pass",
                   "import fcntl, os\nkept = [os.open('/dev/null', 0) for _ in range(1000)]\n"
                   "f = open('/sandbox/lock', 'w')\nfcntl.flock(f, fcntl.LOCK_EX)")

    def test_pipe_buffers(self):
        self.check("import fcntl, os\nkept = []\ntry:\n    while True:\n        r, w = os.pipe()\n        kept.append(w)\n"
                   "        os.set_blocking(w, False)\n        try: fcntl.fcntl(w, 1031, 1 << 20)\n        except OSError: pass\n"
                   "        if len(kept) > 1000: break\nexcept OSError: pass",
                   "import fcntl, os\nr, w = os.pipe()\nassert fcntl.fcntl(w, 1031, 1 << 20) == 1 << 20")

    def hosts_tcp_pages(self) -> int:
        line = next(one for one in open("/proc/net/sockstat") if one.startswith("TCP:"))
        return int(line.split(" mem ")[1])

    def watch(self, greedy, sentence, look):
        """Runs a program that is ended for taking what belongs to all; gives what `look` said all the while, and when."""
        seen, result = [], []
        worker = threading.Thread(target=lambda: result.append(self.run_python(greedy, user="greedy", timeout=6)))
        worker.start()
        while worker.is_alive():
            seen.append(look())
            time.sleep(0.05)
        self.assertRegex(result[0].text, sentence + ("|the sandbox ended" if self.runtime == "runsc" else ""))
        return seen

    def test_terminals(self):
        self.watch("import os, time\nkept = []\nfor _ in range(4): os.fork()\ntry:\n    while True: kept.append(os.openpty())\n"
                   "except OSError: pass\ntime.sleep(60)", "more than 128 pseudo-terminals",
                   lambda: [os.close(end) for end in pty.openpty()])  # the host's own are never used up
        result = self.run_python("import os\nprint(len([os.openpty() for _ in range(60)]))", user="modest")
        self.assertIn("60\n", result.text)

    def test_buffers_of_sockets(self):
        """Without a bound one sandbox takes gigabytes, and the host's own connections stop."""
        pages = self.watch(
            "import os, socket, time\nlistener = socket.create_server(('127.0.0.1', 0), backlog=4096)\nfor _ in range(6): os.fork()\n"
            "kept = []\ntry:\n    while True:\n        end = socket.create_connection(listener.getsockname())\n"
            "        end.setblocking(False)\n        kept.append(end)\n        try:\n            while True: end.send(b'x' * 65536)\n"
            "        except BlockingIOError: pass\nexcept OSError: time.sleep(60)", "more than 1024 network sockets",
            self.hosts_tcp_pages)
        most = (max(pages) - pages[0]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
        attack.say(f"buffers of sockets: {most:.0f} MiB of the host's at most")
        self.assertLess(most, 512)
        self.assert_alive()
