"""Images that are not there: pulled, or one sentence on why not, and the server stays up."""
import re
import tempfile
import uuid

import box
from registry import Crowded, Registry, insecure


class Pulling(box.Case):
    def serve(self, image, conf, **settings):
        if box.engine == "podman":
            settings["CONTAINERS_REGISTRIES_CONF"] = conf
        return box.Server(SANDBOX_IMAGE_PYTHON=image, **settings)

    def outcome(self, server, words):
        """What the tool says in the end of a pull; it stays listed, and the server stays up."""
        result = box.wait_until(lambda: self.settled(server), 120, "the pull ends:\n" + server.log()[-2000:])
        tools = server.post(server.message("tools/list"), **server.routing("tools/list")).json()["result"]["tools"]
        self.assertIn("run_python", [tool["name"] for tool in tools])
        self.assertEqual(server.request("GET", "/healthz").status, 200)
        self.assertTrue(result.is_error)
        self.assertIn(words, result.text, server.log()[-2000:])
        return result.text

    @staticmethod
    def settled(server):
        result = server.call(code="print(1)")
        return None if "being pulled" in result.text else result

    def test_a_registry_says_not_found_or_denied(self):
        with Registry() as registry:
            name = f"{registry.host}/codebox/none:{uuid.uuid4().hex[:8]}"
            with self.serve(name, registry.insecure(), SANDBOX_REGISTRY_AUTH=registry.logins()) as server:
                self.outcome(server, "does not exist in its registry")
            with self.serve(name, registry.insecure(), SANDBOX_REGISTRY_AUTH=registry.logins("wrong-password")) as server:
                self.outcome(server, "denies access")
                self.assertNotIn("wrong-password", server.log())

    def test_a_registry_allows_no_more_requests(self):
        with Crowded() as registry, tempfile.TemporaryDirectory() as folder:
            with self.serve(f"{registry.host}/codebox/many:1", insecure(folder, registry.host)) as server:
                self.outcome(server, "allows no more requests")

    def test_a_registry_cannot_be_reached(self):
        host = f"127.0.0.1:{box.free_port()}"
        with tempfile.TemporaryDirectory() as folder, self.serve(f"{host}/codebox/far:1", insecure(folder, host)) as server:
            self.outcome(server, "cannot be reached")

    def test_a_login_and_a_digest_get_the_very_image(self):
        with Registry() as registry:
            digest = registry.push(f"codebox/pinned:{uuid.uuid4().hex[:8]}")
            self.assertRegex(digest, r"^sha256:[0-9a-f]{64}$")
            reference = f"{registry.host}/codebox/pinned@{digest}"
            logins = registry.logins()
            try:
                with self.serve(reference, registry.insecure(), SANDBOX_REGISTRY_AUTH=logins) as server:
                    box.wait_until(lambda: "pulled the image" in server.log(), 120, "it is pulled:\n" + server.log()[-2000:])
                    # It holds no Python, so a sandbox starts and the program cannot.
                    self.assertNotRegex(server.call(code="print(1)").text, "being pulled|not on this server")
                    self.assertNotIn("s3cret", server.log())
                    self.assertNotIn(re.search('"auth": "([^"]+)"', open(logins, encoding="utf-8").read()).group(1), server.log())
            finally:
                box.engine_cli("rmi", "-f", reference, check=False)

    def test_never_pulling_says_so(self):
        with self.serve("codebox/none:1", "/dev/null", SANDBOX_PULL="never") as server:
            self.outcome(server, "SANDBOX_PULL")
