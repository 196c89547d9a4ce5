"""Names in a sandbox, which has no network and, on Docker and gVisor, an empty /etc/hosts."""
import unittest

import box

TALK = '''
import asyncio, socket, threading
for host in ("localhost", "LOCALHOST", socket.gethostname()):
    print(host, sorted({entry[4][0] for entry in socket.getaddrinfo(host, 80, socket.AF_INET)}))
server = socket.create_server(("localhost", 0))
threading.Thread(target=lambda: server.accept()[0].sendall(b"heard"), daemon=True).start()
print(socket.create_connection(("localhost", server.getsockname()[1]), 5).recv(5))

async def talk():
    async def answer(reader, writer):
        writer.write(b"again")
        writer.close()
    served = await asyncio.start_server(answer, "localhost", 0)
    reader, writer = await asyncio.open_connection("localhost", served.sockets[0].getsockname()[1])
    print(await reader.read())
asyncio.run(talk())
'''


class Names(box.Case):
    def test_localhost_has_an_address_and_can_be_served_on(self):
        result = self.run_python(TALK)
        self.assert_ran(result)
        for line in ("localhost ['127.0.0.1']", "LOCALHOST ['127.0.0.1']", "b'heard'", "b'again'"):
            self.assertIn(line, result.text)

    def test_no_other_name_has_one_and_that_is_said_at_once(self):
        result = self.run_python(
            "import socket, time\nbegan = time.monotonic()\nfor name in ('example.com', 'localhost.example.com', 'db'):\n"
            "    try: print('FOUND', socket.getaddrinfo(name, 443))\n    except socket.gaierror as error: print('none', error)\n"
            "print('soon' if time.monotonic() - began < 5 else 'late')")
        self.assert_ran(result)
        self.assertEqual(result.text.count("none"), 3, result.text)
        self.assertIn("soon", result.text)
        self.assertNotIn("FOUND", result.text)


class NamesOnGvisor(Names):
    @classmethod
    def setUpClass(cls):
        known = "{{range $name, $_ := .Runtimes}}{{$name}} {{end}}"
        if not box.image or box.engine != "docker" or "runsc" not in box.engine_cli("info", "-f", known).stdout.split():
            raise unittest.SkipTest("no Docker that knows a runtime runsc: see gVisor in docs/engines.md")
        cls.own = box.Server(SANDBOX_RUNTIME="runsc").__enter__()
        cls.addClassCleanup(cls.own.stop)
        cls.own.wait_ready()

    @property
    def server(self):
        return self.own
