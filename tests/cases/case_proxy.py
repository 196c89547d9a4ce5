"""EGRESS_PROXY with a real squid: everything goes through it, and its password stays with the server."""
import json
import urllib.parse

import box
import index
import squid

# Asks the tunnel for hosts and prints the status lines, then everything that it can see.
LOOK = '''
import os, socket
for host, port in %r:
    with socket.create_connection(("127.0.0.1", 3128), 5) as s:
        s.settimeout(30)
        s.sendall(f"CONNECT {host}:{port} HTTP/1.1\\r\\n\\r\\n".encode())
        print(host, s.recv(600).decode().split("\\r\\n")[0])
for name, value in os.environ.items():
    print(name, value)
for pid in filter(str.isdigit, os.listdir("/proc")):
    for file in ("cmdline", "environ"):
        try:
            print(open(f"/proc/{pid}/{file}").read())
        except OSError:
            pass
'''


class Proxy(index.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.squid = cls.enter(squid.Squid())

    def serve(self, url):
        return box.Server(EGRESS_PROXY=url, SANDBOX_NETWORK="allowlist", SANDBOX_CA_BUNDLE=self.source.bundle,
                          SANDBOX_ALLOWED_HOSTS=f"{self.source.host},forbidden.invalid,127.0.0.1:{self.squid.port}",
                          SANDBOX_ENV_PYTHON=f"PIP_INDEX_URL={self.source.url}", SANDBOX_EXEC_TIMEOUT="60")

    def assert_secret(self, *texts):
        for text in texts:
            for secret in (squid.PASSWORD, urllib.parse.quote(squid.PASSWORD, safe=""), "pr0xy"):
                self.assertNotIn(secret, text)

    def test_packages_and_programs_go_through_it_and_never_see_its_password(self):
        host, _, port = self.source.host.rpartition(":")
        asked = [(host, int(port)), ("forbidden.invalid", 443), ("127.0.0.1", self.squid.port)]
        with self.serve(self.squid.url) as server:
            server.wait_ready()
            result = server.call(libraries=["private-words"], code="import private_words\nprint(private_words.WORD)\n" + LOOK % (asked,))
            self.assert_ran(result)
            self.assertIn("from the private index", result.text)
            self.assertIn(f"{host} HTTP/1.1 200", result.text)
            self.assertRegex(result.text, r"forbidden\.invalid HTTP/1\.1 403 The network of this sandbox does not reach .*403")
            self.assertRegex(result.text, r"127\.0\.0\.1 HTTP/1\.1 403 .*it is the egress proxy")
            self.assertRegex(result.text, r"\[note\] \d+ network connections were refused")
            self.assert_secret(result.text, server.log())
            box.wait_until(lambda: f"CONNECT {self.source.host}" in self.squid.log(), 10, "squid notes the connection")
            self.assertIn(f" {squid.USER} ", self.squid.log())

    def test_a_wrong_password_is_told_without_it(self):
        with self.serve(self.squid.url.replace("pr0xy", "pr0xy-wr0ng")) as server:
            server.wait_ready()
            result = server.call(code="print(1)", libraries=["private-words"])
            self.assert_refused(result, "EGRESS_PROXY")
            self.assert_secret(json.dumps(result.text), server.log())
