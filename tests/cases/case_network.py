"""The table of docs/network.md, mode by target, filled by real connections from inside sandboxes."""
import contextlib
import json
import pathlib
import re
import subprocess

import box
import index
import outside

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "network.md"
MODES = ("none", "install", "allowlist", "full")
NEIGHBOUR_PORT = 7777
# Tries each target straight and through the tunnel, a few times, and tells which of them said anything.
PROBE = '''
import concurrent.futures, json, re, socket, time
targets = json.loads(%r)
REQUEST = b"GET /healthz HTTP/1.0\\r\\nHost: x\\r\\n\\r\\n"

def straight(host, port):
    with socket.create_connection((host, port), 4) as s:
        s.sendall(REQUEST)
        return s.recv(1000)  # an end without a word counts as an answer where any will do

def tunnelled(host, port):
    with socket.create_connection(("127.0.0.1", 3128), 4) as s:
        s.settimeout(15)
        name = f"[{host}]" if ":" in host else host
        s.sendall(f"CONNECT {name}:{port} HTTP/1.1\\r\\n\\r\\n".encode())
        head = s.recv(39)
        if not head.startswith(b"HTTP/1.1 200"):
            raise OSError("refused")
        s.sendall(REQUEST)
        return s.recv(1000)

def reached(target):
    for attempt in range(3):
        for way in (straight, tunnelled):
            try:
                if target[2].encode() in way(*target[:2]):
                    return True
            except OSError:
                pass
        time.sleep(0.3)
    return False

with concurrent.futures.ThreadPoolExecutor(16) as pool:
    found = dict(zip(targets, pool.map(reached, targets.values())))
routes = [line.split() for line in open("/proc/net/route")][1:]
found["interfaces"] = sorted({route[0] for route in routes})
try:
    found["ipv6"] = [line for line in open("/proc/net/if_inet6").read().splitlines() if not line.endswith(" lo")]
except OSError:
    found["ipv6"] = []
print("FOUND" + json.dumps(found))
'''
NEIGHBOUR = f'''
import socket, time
listener = socket.create_server(("0.0.0.0", {NEIGHBOUR_PORT}))
while True:
    peer, _ = listener.accept()
    peer.sendall(b"neighbour")
    peer.close()
'''


def documented() -> dict:
    """Target -> mode -> "yes", "no" or "host", as docs/network.md has it."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in PAGE.read_text().splitlines()
            if line.startswith("|")]
    assert tuple(rows[0][1:]) == MODES, rows[0]
    return {row[0]: dict(zip(MODES, row[1:])) for row in rows[2:]}


def docker(*words) -> str:
    return subprocess.run(["docker", *words], check=True, capture_output=True, text=True, timeout=60).stdout


def address_of(container: str) -> str:
    found = docker("inspect", "-f", "{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}", container).split()
    return found[0] if found else ""


class Table(index.Case):
    """One server a mode; each is told to allow more than it will."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.world = cls.enter(outside.Outside())

    def serve(self, mode):
        world = self.world
        port = box.free_port()
        chat = f"{world.public}:{outside.SERVICE_PORT}"
        listed = [self.source.host, f"{world.public}:{outside.PUBLIC_PORT}", f"{world.lan}:{outside.PUBLIC_PORT}", chat,
                  f"{world.here}:{port}", f"127.0.0.1:{port}"]
        if world.lan6:
            listed.append(f"[{world.lan6}]:{outside.PUBLIC_PORT}")
        return box.Server(HOST="0.0.0.0", PORT=str(port), SANDBOX_POOL_SIZE="0", SANDBOX_NETWORK="none",
                          SANDBOX_NETWORK_PYTHON=mode,
                          OWUI_BASE_URL=f"http://{chat}", OWUI_CHECK_USER="false", SANDBOX_ALLOWED_HOSTS=",".join(listed),
                          SANDBOX_ENV_PYTHON=f"PIP_INDEX_URL={self.source.url}", SANDBOX_CA_BUNDLE=self.source.bundle,
                          SANDBOX_EXEC_TIMEOUT="90")

    def targets(self, server, neighbour) -> dict:
        world = self.world
        try:
            gateway = docker("network", "inspect", "bridge", "-f", "{{(index .IPAM.Config 0).Gateway}}").strip()
        except subprocess.CalledProcessError:
            gateway = ""
        found = {"a listed public host": (world.public, outside.PUBLIC_PORT, "outside"),
                 "another public host": (world.other_public, outside.PUBLIC_PORT, "outside"),
                 "a listed host of the LAN": (world.lan, outside.PUBLIC_PORT, "outside"),
                 "another host of the LAN": (world.other_lan, outside.PUBLIC_PORT, "outside"),
                 "this server, even if listed": (world.here, server.port, ""),
                 "this server on loopback": ("127.0.0.1", server.port, ""),
                 "Open WebUI, even if listed": (world.public, outside.SERVICE_PORT, "outside"),
                 "169.254.169.254": ("169.254.169.254", 80, "")}
        if world.lan6:
            found["a listed IPv6 host of the LAN"] = (world.lan6, outside.PUBLIC_PORT, "outside")
            found["another IPv6 host of the LAN"] = (world.other_lan6, outside.PUBLIC_PORT, "outside")
            found["another host of the LAN, mapped into IPv6"] = ("::ffff:" + world.other_lan, outside.PUBLIC_PORT, "outside")
            found["the same by NAT64"] = (world.nat64, outside.PUBLIC_PORT, "outside")
            found["the same by 6to4"] = (world.six_to_four, outside.PUBLIC_PORT, "outside")
        if gateway:
            found["the engine's gateway"] = (gateway, server.port, "")
        if neighbour:
            found["another sandbox"] = (neighbour, NEIGHBOUR_PORT, "neighbour")
        return found

    def probe(self, server, mode):
        """What a sandbox of this server reaches, and the text of the result."""
        self.assert_ran(server.call(code="print(1)"))  # from now on the image is prepared, so a new container is a sandbox
        before = server.containers()
        with contextlib.closing(server.open_call(NEIGHBOUR, user="grace")):
            container = server.new_container(before)
            box.wait_until(lambda: "true" in docker("inspect", "-f", "{{.State.Running}}", container), 30, "it runs")
            neighbour = address_of(container)
            if neighbour:
                box.wait_until(lambda: outside.says(neighbour, NEIGHBOUR_PORT, b"neighbour"), 30, "the neighbour listens")
            installs = [] if mode == "none" else ["private-words"]
            code = PROBE % json.dumps(self.targets(server, neighbour))
            if installs:
                code = "import private_words\nassert private_words.WORD\n" + code
            result = server.call(code=code, libraries=installs)
        found = re.search(r"^FOUND(\{.*\})$", result.text, re.M)
        if result.is_error or not found:
            self.fail(f"{mode}: {result.text}\n{server.log()[-3000:]}")
        found = json.loads(found[1])
        found.setdefault("another sandbox", False)
        found["the index while installing"] = bool(installs)
        if mode == "none":
            refused = server.call(code="print(1)", libraries=["private-words"])
            self.assert_refused(refused, "SANDBOX_NETWORK")
        return found, result.text

    def compare(self, mode, found):
        for target, cells in documented().items():
            with self.subTest(mode=mode, target=target):
                if target in found and cells[mode] != "host":
                    self.assertEqual("yes" if found[target] else "no", cells[mode])

    def closed(self, mode):
        with self.serve(mode) as server:
            server.wait_ready()
            found, text = self.probe(server, mode)
            self.compare(mode, found)
            self.assertFalse(found["this server on loopback"])
            self.assertFalse([name for name in found["interfaces"] if name != "lo"])
            self.assertFalse(found["ipv6"])
            return text

    def test_none(self):
        self.closed("none")

    def test_install(self):
        self.closed("install")

    def test_allowlist_which_also_tells_what_was_refused(self):
        text = self.closed("allowlist")
        self.assertRegex(text, r"\[note\] \d+ network connections were refused\. The last reason: ")

    def container_reaches_outside(self) -> bool:
        """Whether a plain container on a plain bridge of this engine reaches the world that this test made."""
        name = self.world.name
        code = (f"import socket; s = socket.create_connection(('{self.world.public}', {outside.PUBLIC_PORT}), 5); "
                "s.sendall(b'x'); print(s.recv(100))")
        try:
            docker("network", "create", "--label", "codebox.test=1", name)
        except subprocess.CalledProcessError:
            return False
        try:
            return "outside" in docker("run", "--rm", "--network", name, "--entrypoint", "python3", box.image, "-c", code)
        except subprocess.CalledProcessError:
            return False
        finally:
            subprocess.run(["docker", "network", "rm", name], capture_output=True, timeout=60)

    def test_full_which_is_a_bridge_of_our_own_that_goes_with_us(self):
        if not self.container_reaches_outside():
            self.skipTest("no container of this engine reaches a host beyond this machine, whoever starts it")
        with self.serve("full") as server:
            server.wait_ready()
            box.wait_until(lambda: "SANDBOX_NETWORK is full for python" in server.log(), 30, "the log says loudly what is open")
            found, _ = self.probe(server, "full")
            self.compare("full", found)
            self.assertFalse(found["this server on loopback"])
            self.assertFalse(found["ipv6"])
            name = (server.state / "state" / "instance").read_text().strip()
            ours = ("network", "ls", "-q", "--filter", f"label=codebox.instance={name}")
            self.assertEqual(len(docker(*ours).split()), 1)
            files = server.call(code="print(open('words.txt').read())", input_files=[{"path": "words.txt", "text": "kept words"}])
            self.assertIn("kept words", files.text)
            server.stop()
        box.wait_until(lambda: not docker(*ours).split(), 30, "the bridge is removed")
