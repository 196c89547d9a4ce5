"""Escapes that were public. Every attempt has its refusal; what is in the folder inside/ says which they are. Tricks with
archives do not apply: files come out one by one as bytes, and no archive of a sandbox is ever unpacked by the host."""
import json
import os
import socket

import attack


def addresses_of_this_host():
    found = {"127.0.0.1"}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent; the kernel says which address it would use
            found.add(probe.getsockname()[0])
        except OSError:
            pass
    return sorted(found)


class Escapes(attack.Case):
    def test_mounts_devices_proc_sys_and_cgroups(self):
        self.assert_all_refused("mounts")

    def test_the_kernels_larger_doors(self):
        name = f"codebox-adversary-{os.getpid()}"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("\0" + name)
            listener.listen()
            host = {"abstract": name, "addresses": addresses_of_this_host(), "port": self.server.port}
            self.assert_all_refused("kernel", stdin=json.dumps(host))

    def test_the_agent_its_descriptors_and_its_signals(self):
        self.assert_all_refused("agent")
        self.assert_alive()
