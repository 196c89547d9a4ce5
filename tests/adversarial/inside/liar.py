# Says to everybody what the agent would say. Runs as a program and as a package's install code.
import signal
import socket
import time


def frame(kind, payload=b"", channel=1, flags=0, length=None):
    return struct.pack("<IBBHI", len(payload) if length is None else length, kind, flags, 0, channel) + payload


def docker(stream, payload, length=None):
    return bytes([stream, 0, 0, 0]) + struct.pack(">I", len(payload) if length is None else length) + payload


LIES = [frame(kind, body, channel, flags, length) for kind in (0, *range(1, 30), 255) for channel in (0, 1, 2, 0x80000001)
        for body, flags, length in ((b"", 0, None), (b"\0" * 40, 1, None), (b"\xff" * 40, 255, None), (b"", 0, 0xFFFFFFFF))]
LIES += [struct.pack("<Q", 1 << 63) * 4, struct.pack(">Q", 1 << 63) * 4, b"\xff" * 4096, b"\0" * 4096]
LIES += [docker(stream, one) for stream in (0, 1, 2, 3, 9) for one in LIES[:8]] + [docker(1, b"x", 0xFFFFFFFF)]

if globals().get("SHOUT", True):
    for lie in LIES:
        os.write(1, lie)
        os.write(2, lie)
    print(flush=True)
for process in [one for one in os.listdir("/proc") if one.isdigit()]:
    if open(f"/proc/{process}/status").read().split("Uid:\t")[1].split()[0] == str(os.getuid()):
        continue
    for number in range(32):
        attempt(f"lie into descriptor {number} of process {process}", lambda: write(f"/proc/{process}/fd/{number}", "x" * 64))
for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGCONT, signal.SIGSEGV):
    attempt(f"signal {int(number)} to the agent", lambda: os.kill(1, number))
attempt("ptrace", lambda: call("ptrace", 0x4206, 1, 0, 0))
for number in (0, 7, 9):
    attempt(f"prlimit {number}", lambda: call("prlimit64", 1, number, ctypes.create_string_buffer(16), 0))


def ask(head, more=b"", patience=10):
    """What the loopback proxy answers; an end without a word is an answer too."""
    got = b""
    try:
        with socket.create_connection(("127.0.0.1", 3128), timeout=patience) as end:
            end.sendall(head)
            for _ in range(4096 if more else 0):
                end.sendall(more)
            if not more:
                end.shutdown(socket.SHUT_WR) if head.count(b"\r\n\r\n") == 0 else None
            while part := end.recv(65536):
                got += part
    except (ConnectionError, TimeoutError) as error:
        got = got or repr(error).encode()
    return got


HOSTS = ["127.0.0.1:80", "localhost:443", "[::1]:80", "[::ffff:127.0.0.1]:443", "169.254.169.254:80", "2130706433:80",
         "0x7f000001:80", "0177.0.0.1:80", "127.1:80", "0:80", "0.0.0.0:80", "10.0.0.1:80", "172.17.0.1:443", "[fd00::1]:80",
         "[fe80::1]:80", "[64:ff9b::7f00:1]:80", "[2002:7f00:1::]:443", "224.0.0.1:80", "255.255.255.255:80",
         "a:99999999999", "a:9223372036854775808", "a:-1", "a:0", ":443", "\0:443", "a" * 300 + ":443", "[:443", "[]:443",
         "u@127.0.0.1:80", "127.0.0.1:80\t", "", " ", "index.example:22", "index.example:25"]
requests = [f"CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode() for host in HOSTS]
requests += [f"GET http://{host}/ HTTP/1.1\r\nHost: index.example\r\n\r\n".encode() for host in HOSTS]
requests += [b"GET file:///etc/passwd HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
             b"POST http://127.0.0.1/ HTTP/1.1\r\nContent-Length: 9223372036854775808\r\n\r\n", b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
             b"CONNECT a:443 HTTP/1.1\nHost: a\n\n", b"CONNECT\r\n\r\n", b"\r\n\r\n", b"\0" * 64, *LIES[::40]]
for head in requests:
    answer = ask(head, patience=5)
    holds(f"proxy: {head[:60]!r}", not answer.startswith(b"HTTP/1.1 2") and b"Server" not in answer[:400], answer[:120])
answer = ask(b"CONNECT index.example:443 HTTP/1.1\r\n", b"X-More: " + b"y" * 1024 + b"\r\n")
holds("endless headers end", b"431" in answer[:20] or b"Reset" in answer or b"Broken" in answer, answer[:120])
answer = ask(b"GET http://index.example/" + b"a" * 64, b"a" * 1024)
holds("an endless line ends", b"431" in answer[:20] or b"Reset" in answer or b"Broken" in answer, answer[:120])
idle = [socket.create_connection(("127.0.0.1", 3128), timeout=5) for _ in range(100)]
