"""A server that was taken over by somebody has the launcher's control socket and nothing else. These tests are that
somebody: they speak the launcher's protocol themselves and ask for what a sandbox must never be."""
import array
import json
import os
import pathlib
import socket
import subprocess
import uuid

import box

MIB = 1 << 20
SPEC = {"image": "", "language": "python", "runtime": "", "memory": 128 * MIB, "disk": 64 * MIB, "install": 64 * MIB,
        "cpus": 1.0, "pids": 64, "network": "", "layer": ""}


class Launcher:
    """A real launcher whose server is this test."""

    def __init__(self):
        self.instance = "takeover-" + uuid.uuid4().hex[:8]
        ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        config = {"endpoint": os.environ.get("CONTAINER_HOST", ""), "backend": os.environ.get("CONTAINER_BACKEND", "auto"),
                  "instance": self.instance, "agent_file": str(pathlib.Path(box.codebox).with_name("codebox-agent")),
                  "ca_bundle": "", "pull": "never", "full_network": False, "registry_auth": "",
                  "podman_dir": f"/tmp/codebox-{self.instance}", "tls_ca": "", "tls_certificate": "", "tls_key": ""}
        memory = os.memfd_create("config")
        os.write(memory, json.dumps(config).encode())
        self.control, self.number = ours, 0
        ours.settimeout(120)
        self.process = subprocess.Popen([box.codebox, "launcher", str(its.fileno()), str(memory)],
                                        pass_fds=(its.fileno(), memory), stdin=subprocess.DEVNULL)
        its.close()
        os.close(memory)

    def ask(self, **request):
        """The launcher's answer, and the descriptor that came with it, if any."""
        self.number += 1
        self.control.send(json.dumps({"id": self.number, **request}).encode())
        while True:
            text, ancillary, _, _ = self.control.recvmsg(65536, socket.CMSG_SPACE(4))
            fds = array.array("i")
            for _, _, data in ancillary:
                fds.frombytes(data)
            answer = json.loads(text)
            if answer.get("id") == self.number and "progress" not in answer:
                return answer, (fds[0] if fds else None)

    def stop(self):
        self.control.close()
        self.process.wait(60)


class Takeover(box.Case):
    def setUp(self):
        super().setUp()
        self.launcher = Launcher()
        self.addCleanup(self.launcher.stop)
        self.spec = {**SPEC, "image": box.image}

    def refused(self, *words, **request):
        answer, fd = self.launcher.ask(**request)
        self.assertIsNone(fd, answer)
        self.assertIn("failure", answer, f"this was done: {request}")
        for word in words:
            self.assertIn(word, answer["failure"]["message"])

    def start(self, **wishes):
        answer, fd = self.launcher.ask(do="start", spec={**self.spec, **wishes})
        self.assertIn("ok", answer, answer)
        self.addCleanup(os.close, fd)
        return answer["ok"]["container"]

    @staticmethod
    def inspect(container) -> dict:
        return json.loads(box.engine_cli("container", "inspect", container).stdout)[0]

    def test_wishes_that_no_sandbox_has_are_never_heard(self):
        wishes = {"Privileged": True, "privileged": True, "Binds": ["/:/host"], "binds": ["/:/host"], "User": "0",
                  "CapAdd": ["SYS_ADMIN"], "NetworkMode": "host", "PidMode": "host", "Devices": ["/dev/kmsg"],
                  "HostConfig": {"Privileged": True, "Binds": ["/:/host"], "NetworkMode": "host"}, "cmd": ["sh"]}
        made = self.inspect(self.start(**wishes))
        host = made["HostConfig"]
        self.assertFalse(host["Privileged"])
        self.assertFalse(host.get("Binds"))
        self.assertFalse(host.get("Devices"))
        self.assertEqual(host["NetworkMode"], "none")
        self.assertNotEqual(host.get("PidMode"), "host")
        self.assertTrue(host["ReadonlyRootfs"])
        self.assertEqual({name.removeprefix("CAP_") for name in host["CapAdd"]}, {"SETUID", "SETGID"})
        self.assertEqual({mount["Type"] for mount in made.get("Mounts") or []} - {"tmpfs"}, set())

    def test_values_out_of_range_are_refused_by_name(self):
        for name, value in (("memory", 1), ("memory", 2**63), ("disk", 2**50), ("pids", 0), ("pids", -1), ("cpus", 1e9),
                            ("network", "host"), ("network", "container:x"), ("network", "full"), ("runtime", "../x"),
                            ("language", "../../x"), ("layer", "codebox/layer:x"), ("image", "/etc/passwd"),
                            ("image", "x; rm -rf /"), ("image", "--privileged")):
            with self.subTest(f"{name}={value}"):
                self.refused(do="start", spec={**self.spec, name: value})

    def test_somebody_elses_container_is_out_of_reach(self):
        other = box.engine_cli("create", "--label", "codebox.test=takeover", "--network", "none", "--entrypoint", "sleep",
                               box.image, "300").stdout.strip()
        self.addCleanup(box.engine_cli, "rm", "-f", other)
        for request in ({"do": "remove"}, {"do": "state"}, {"do": "set_memory", "bytes": 64 * MIB}):
            answer, _ = self.launcher.ask(**request, container=other)
            self.assertTrue("failure" in answer or answer.get("ok") == {}, answer)
        self.assertEqual(self.inspect(other)["HostConfig"]["Memory"], 0)
        for made_up in ("../" + other, other[:4], "x" * 64, ""):
            self.refused(do="state", container=made_up)

    def test_nonsense_is_answered_and_the_next_request_is_served(self):
        for text in (b"", b"{", b"[]", b"null", b'{"id": -1}', b'{"id": 1e99, "do": "start"}', b"\xff" * 60000,
                     b'{"id": 900, "do": "exec"}', b'{"id": 901, "do": "start", "spec": 5}', b'{"cancel": "x"}'):
            if text:
                self.launcher.control.send(text)
        answer, _ = self.launcher.ask(do="info")
        self.assertIn("ok", answer)
        self.assertIsNone(self.launcher.process.poll())

    def test_its_sandboxes_end_with_it(self):
        container = self.start()
        self.launcher.control.close()
        self.launcher.process.wait(60)
        gone = lambda: box.engine_cli("container", "inspect", container, check=False).returncode != 0
        box.wait_until(gone, 45, "the sandbox of a server that is gone is gone")
