"""Who may call: the bearer token's every shape. These need no engine."""
import time
import unittest

import box

SENTENCE = 20  # characters that a reason has at least


class Tokens(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = box.Server().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def ask(self, authorization):
        message = self.server.message("tools/list", request_id="q-7")
        return self.server.post(message, **{"Authorization": authorization, **self.server.routing("tools/list")})

    def assert_refused(self, authorization):
        reply = self.ask(authorization)
        self.assertEqual(reply.status, 401, reply.body)
        self.assertIn("Bearer", reply.headers.get("www-authenticate", ""))
        answer = reply.json()
        self.assertEqual(answer["id"], "q-7")
        self.assertGreater(len(answer["error"]["message"]), SENTENCE)
        return answer["error"]["message"]

    def assert_accepted(self, bearer):
        reply = self.ask("Bearer " + bearer)
        self.assertEqual(reply.status, 200, reply.body)

    def test_a_good_token_is_accepted(self):
        self.assert_accepted(box.token())
        reply = self.ask("bearer " + box.token())
        self.assertEqual(reply.status, 200, "the scheme's name has no case")

    def test_the_lifetime_is_kept_with_its_leeway(self):
        now = int(time.time())
        self.assert_accepted(box.token(exp=None))
        self.assert_accepted(box.token(exp=now - 5))
        self.assert_accepted(box.token(iat=now + 5))
        self.assert_accepted(box.token(nbf=now + 5))
        self.assertIn("expired", self.assert_refused("Bearer " + box.token(exp=now - 300)))
        self.assert_refused("Bearer " + box.token(nbf=now + 300))
        self.assert_refused("Bearer " + box.token(iat=now + 300))
        self.assert_refused("Bearer " + box.token(exp="tomorrow"))

    def test_another_algorithm_is_refused(self):
        for algorithm in ("none", "None", "NONE", None, "HS384", "HS512", "RS256", "hs256", "", 256, ["HS256"]):
            with self.subTest(algorithm):
                self.assert_refused("Bearer " + box.token(header={"alg": algorithm, "typ": "JWT"}))
        self.assert_refused("Bearer " + box.token(header={"typ": "JWT"}))

    def test_an_unsigned_token_is_refused(self):
        head, payload, _ = box.token().split(".")
        for forged in (f"{head}.{payload}.", f"{head}.{payload}", box.encode({"alg": "none"}) + f".{payload}.",
                       box.token() + ".x", box.token() + "x", "x" + box.token(), "nodots", ".", "..", "...", "a.b.c"):
            with self.subTest(forged[:40]):
                self.assert_refused("Bearer " + forged)

    def test_a_payload_that_was_changed_is_refused(self):
        head, _, signature = box.token().split(".")
        self.assert_refused(f"Bearer {head}.{box.encode({'id': 'root'})}.{signature}")

    def test_an_id_that_is_no_name_is_refused(self):
        for value in (None, "", 7, True, {"a": 1}, ["ada"]):
            with self.subTest(value):
                self.assert_refused("Bearer " + box.token(user=value))

    def test_a_token_of_20_kb_is_refused_and_the_server_stays(self):
        reply = self.ask("Bearer " + box.token(user="x" * 20_000))
        self.assertIn(reply.status, (400, 401, 431))
        self.assert_accepted(box.token())

    def test_no_token_is_told_to_choose_session(self):
        self.assertIn("Session", self.assert_refused(None))
        self.assertIn("Session", self.assert_refused("Bearer sk-0123456789abcdef0123456789abcdef"))
        self.assert_refused("Basic YTpi")
        self.assert_refused("Bearer")

    def test_another_servers_secret_is_named_as_the_likely_reason(self):
        message = self.assert_refused("Bearer " + box.token(secret="another-secret-0123456789-0123456789-abcdefgh"))
        self.assertIn("JWT_SECRET", message)
        self.assertIn("WEBUI_SECRET_KEY", message)

    def test_no_token_and_no_secret_reaches_the_log(self):
        bearer = box.token(user="log-reader", exp=1)
        self.assert_refused("Bearer " + bearer)
        self.assertNotIn(bearer, self.server.log())
        self.assertNotIn(bearer.split(".")[2], self.server.log())
        self.assertNotIn(box.SECRET, self.server.log())


class Start(unittest.TestCase):
    def test_an_empty_or_short_secret_is_a_reason_not_to_start(self):
        for secret in (None, "", "short"):
            with self.subTest(secret):
                with self.assertRaises(AssertionError) as raised:
                    box.Server(JWT_SECRET=secret).__enter__().stop()
                self.assertIn("JWT_SECRET", str(raised.exception))

    def test_a_malformed_setting_is_an_error_that_names_it(self):
        for name, value in (("PORT", "eighty"), ("SANDBOX_MAX_MEMORY", "lots"), ("SANDBOX_NETWORK", "wild"),
                            ("RATE_LIMIT_RPS", "-1"), ("OWUI_VERIFY_TLS", "perhaps")):
            with self.subTest(name):
                with self.assertRaises(AssertionError) as raised:
                    box.Server(**{name: value}).__enter__().stop()
                self.assertIn(name, str(raised.exception))
