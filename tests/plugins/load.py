"""Clients that call a server without a pause while a test does something to it."""
import contextlib
import threading
import time

import box


class Load:
    """What became of their calls. Each kind of call is a function that says whether its answer was right."""

    def __init__(self, kinds: dict):
        self.kinds, self.calls, self.lost = kinds, dict.fromkeys(kinds, 0), []
        self.slowest = 0.0
        self.stop = threading.Event()
        self.lock = threading.Lock()

    def client(self, kind, call):
        while not self.stop.is_set():
            started = time.monotonic()
            try:
                right = call()
            except Exception as error:   # noqa: BLE001 - whatever it is, a call was lost
                right = repr(error)
            with self.lock:
                self.calls[kind] += 1
                self.slowest = max(self.slowest, time.monotonic() - started)
                if right is not True:
                    self.lost.append((kind, right))

    @contextlib.contextmanager
    def running(self, clients_of_each: int):
        threads = [threading.Thread(target=self.client, args=item) for item in self.kinds.items() for _ in range(clients_of_each)]
        for thread in threads:
            thread.start()
        try:
            box.wait_until(lambda: all(self.calls.values()), 60, "every kind of call was answered")
            yield self
            before = dict(self.calls)
            box.wait_until(lambda: all(self.calls[kind] > before[kind] for kind in before), 60, "and is after the last change")
        finally:
            self.stop.set()
            for thread in threads:
                thread.join(60)

    def report(self, what):
        print(f"{what}: {sum(self.calls.values())} calls by clients that never paused, {len(self.lost)} lost, the slowest "
              f"took {self.slowest:.2f} s", flush=True)
