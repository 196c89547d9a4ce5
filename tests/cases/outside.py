"""Hosts beyond this machine: a network namespace behind a pair of virtual interfaces, with addresses that stand for
the public internet and for a LAN. Made for one test, with addresses that nothing here uses, and removed after it."""
import contextlib
import ipaddress
import os
import random
import shutil
import socket
import subprocess
import sys
import time
import unittest

PUBLIC_PORT, SERVICE_PORT = 8080, 8081
SERVER = f'''
import socket, threading
def serve(port):
    if socket.has_dualstack_ipv6():
        listener = socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True)
    else:
        listener = socket.create_server(("0.0.0.0", port))
    while True:
        peer, _ = listener.accept()
        peer.settimeout(5)
        try:
            peer.recv(1000)
            peer.sendall(b"HTTP/1.0 200 OK\\r\\n\\r\\noutside")
        except OSError:
            pass
        peer.close()
threads = [threading.Thread(target=serve, args=(port,)) for port in ({PUBLIC_PORT}, {SERVICE_PORT})]
for thread in threads:
    thread.start()
'''


def ip(*words, check=True):
    done = subprocess.run(["ip", *words], capture_output=True, text=True, timeout=30)
    if check and done.returncode != 0:
        raise unittest.SkipTest(f"no network namespace can be made here: ip {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def says(address, port, word) -> bool:
    """Whether what answers there is the one that is meant: there are networks that answer for every address."""
    with contextlib.suppress(OSError), socket.create_connection((address, port), 2) as connection:
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
        return word in connection.recv(1000)
    return False


def free_network(choices) -> tuple:
    """Makes an address of its last byte, and a multiple of eight: a /29 for which there is no route but the default one."""
    for _ in range(50):
        prefix, last = random.choice(choices)(), random.randrange(0, 256, 8)
        routes = [line for line in ip("route", "show", "match", f"{prefix}.{last + 2}").splitlines() if line]
        if all(line.startswith("default") for line in routes):
            return f"{prefix}.{{}}".format, last
    raise unittest.SkipTest("no address range is free on this machine")


class Outside:
    """A context manager. Two public hosts, two of a LAN, and `here`, this machine's address as they see it."""

    def __init__(self):
        if os.geteuid() != 0 or not shutil.which("ip"):
            raise unittest.SkipTest("making a network namespace needs root and the program ip")
        self.name = f"codebox-{os.getpid()}-{random.randrange(10_000)}"
        self.link = f"cbx{random.randrange(16**8):08x}"
        self.process = None

    def __enter__(self):
        try:
            self.make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def make(self):
        networks = [free_network([lambda: "198.51.100", lambda: "203.0.113"]),
                    free_network([lambda: f"10.{random.randrange(64, 250)}.{random.randrange(256)}"])]
        (public, a), (lan, b) = networks
        self.here, self.public, self.lan = public(a + 1), public(a + 2), lan(b + 2)
        self.other_public, self.other_lan = public(a + 3), lan(b + 3)
        everybody = (self.public, self.other_public, self.lan, self.other_lan)
        ip("netns", "add", self.name)
        ip("link", "add", self.link, "type", "veth", "peer", "name", "out0", "netns", self.name)
        for text, last in networks:
            ip("address", "add", f"{text(last + 1)}/29", "dev", self.link)
            for host in (2, 3):
                ip("-n", self.name, "address", "add", f"{text(last + host)}/29", "dev", "out0")
        ip("link", "set", self.link, "up")
        ip("-n", self.name, "link", "set", "out0", "up")
        ip("-n", self.name, "route", "add", "default", "via", self.here)
        self.add_ipv6()
        self.process = subprocess.Popen(["ip", "netns", "exec", self.name, sys.executable, "-c", SERVER],
                                        stdin=subprocess.DEVNULL)
        everybody += (self.lan6, self.other_lan6, self.nat64, self.six_to_four) if self.lan6 else ()
        for _ in range(40):
            if all(says(address, port, b"outside") for address in everybody for port in (PUBLIC_PORT, SERVICE_PORT)):
                return
            time.sleep(0.1)
        raise unittest.SkipTest("this machine does not reach a network namespace of its own")

    def add_ipv6(self):
        """Two hosts of a LAN of IPv6, of which the second also answers for the addresses that would stand for `other_lan`
        by NAT64 and 6to4. Where this machine has no IPv6, `lan6` stays empty."""
        self.lan6 = self.other_lan6 = ""
        prefix = ":".join(f"{random.randrange(1 << 16):x}" for _ in range(3))
        inner = int(ipaddress.IPv4Address(self.other_lan))
        self.nat64 = str(ipaddress.IPv6Address((0x64FF9B << 96) | inner))
        self.six_to_four = str(ipaddress.IPv6Address((0x2002 << 112) | (inner << 80) | 1))
        here, lan6, other = (f"fd77:{prefix}::{host}" for host in (1, 2, 3))
        try:
            ip("address", "add", here + "/64", "dev", self.link, "nodad")
            for address in (lan6 + "/64", other + "/64", self.nat64 + "/128", self.six_to_four + "/128"):
                ip("-n", self.name, "address", "add", address, "dev", "out0", "nodad")
            for address in (self.nat64, self.six_to_four):
                ip("route", "add", address + "/128", "via", other, "dev", self.link)
        except unittest.SkipTest:
            return
        self.lan6, self.other_lan6 = lan6, other

    def __exit__(self, *_):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        ip("netns", "delete", self.name, check=False)
        ip("link", "delete", self.link, check=False)
