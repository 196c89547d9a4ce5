#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>

#include <atomic>
#include <cstdint>

#include "egress/gate.hpp"
#include "support.hpp"

using namespace codebox;
using namespace codebox::test;

namespace {

/// Knows one host, whose server turns what it gets around: reads to the end, answers with size and bytes.
class FakeGate : public egress::Gate {
 public:
  std::vector<std::string> asked;
  Result<Fd> connect(const std::string& host, std::uint16_t port, std::stop_token) override {
    {
      const std::lock_guard lock(mutex_);
      asked.push_back(host + ":" + std::to_string(port));
    }
    if (host != "echo.test") return Failure{Reason::invalid, "the host is\nnot on the list of allowed hosts"};
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return Failure{Reason::offline, "no pair"};
    const std::lock_guard lock(mutex_);
    servers_.emplace_back([end = Fd(ends[1])] {
      std::string buffer(65536, '\0');
      while (true) {
        const auto got = ::recv(end.get(), buffer.data(), buffer.size(), 0);
        if (got <= 0) return;
        std::string_view text = std::string_view(buffer).substr(0, static_cast<std::size_t>(got));
        while (!text.empty()) {
          const auto put = ::send(end.get(), text.data(), text.size(), MSG_NOSIGNAL);
          if (put <= 0) return;
          text.remove_prefix(static_cast<std::size_t>(put));
        }
      }
    });
    return Fd(ends[0]);
  }
  std::atomic<std::uint64_t> allowance = UINT64_MAX;  ///< bytes until connections end
  bool spend(std::uint64_t bytes) override {
    const auto had = allowance.load();
    if (had < bytes) return false;
    allowance = had - bytes;
    return true;
  }
  std::vector<std::string> seen() {
    const std::lock_guard lock(mutex_);
    return asked;
  }

 private:
  std::mutex mutex_;
  std::vector<std::jthread> servers_;
};

// A client in Python, because it can end its sending side.
std::string client(const std::string& first, const std::string& rest) {
  return "import socket,sys,threading\ns=socket.create_connection(('127.0.0.1',3128))\ns.sendall(" + first +
         ")\n" + rest;
}
const std::string read_all = "d=b''\nwhile True:\n  p=s.recv(65536)\n  if not p: break\n  d+=p\n";

void need_python(Jail& jail) {
  if (jail.run({"/usr/bin/python3", "-c", "pass"}).ending != sandbox::Ending::exited)
    SKIP("skipped: needs python3");
}

}  // namespace

TEST_CASE("a connection through the proxy reaches what the gate dialled, both ways and at length") {
  FakeGate gate;
  Jail jail;
  need_python(jail);
  jail.box->set_gate(&gate);
  const auto end = jail.run({"/usr/bin/python3", "-c",
                             client("b'CONNECT echo.test:443 HTTP/1.1\\r\\n\\r\\n'",
                                    "h=s.recv(39)\nprint(h.decode().split('\\r')[0])\n"
                                    "def send():\n  s.sendall(b'y'*3000000)\n  s.shutdown(socket.SHUT_WR)\n"
                                    "t=threading.Thread(target=send)\nt.start()\n" +
                                        read_all + "print(len(d), set(d))")});
  INFO(jail.printed.err);
  CHECK(end.code == 0);
  CHECK(jail.printed.out == "HTTP/1.1 200 Connection established\n3000000 {121}\n");
  CHECK(gate.seen() == std::vector<std::string>{"echo.test:443"});
  jail.box->set_gate(nullptr);
}

TEST_CASE("a plain request is sent on in origin form, once per connection") {
  FakeGate gate;
  Jail jail;
  need_python(jail);
  jail.box->set_gate(&gate);
  jail.run({"/usr/bin/python3", "-c",
            client("b'GET http://user@echo.test:81/a?b=c HTTP/1.1\\r\\nHost: echo.test:81\\r\\n"
                   "Proxy-Authorization: x\\r\\nConnection: keep-alive\\r\\n\\r\\n'",
                   "s.shutdown(socket.SHUT_WR)\n" + read_all + "sys.stdout.write(d.decode())")});
  INFO(jail.printed.err);
  CHECK(jail.printed.out == "GET /a?b=c HTTP/1.1\r\nHost: echo.test:81\r\nConnection: close\r\n\r\n");
  CHECK(gate.seen() == std::vector<std::string>{"echo.test:81"});
  jail.box->set_gate(nullptr);
}

TEST_CASE("a refused host and a closed gate answer with a sentence") {
  FakeGate gate;
  Jail jail;
  need_python(jail);
  const auto ask = [&] {
    jail.run({"/usr/bin/python3", "-c",
              client("b'CONNECT other.test:443 HTTP/1.1\\r\\n\\r\\n'",
                     read_all + "sys.stdout.write(d.decode())")});
    return jail.printed.out;
  };
  jail.box->set_gate(&gate);
  auto answer = ask();
  CHECK(answer.starts_with("HTTP/1.1 403 the host is not on the list of allowed hosts\r\n"));
  CHECK(answer.ends_with("\r\n\r\nthe host is not on the list of allowed hosts\n"));
  jail.box->set_gate(nullptr);
  answer = ask();
  CHECK(answer.starts_with("HTTP/1.1 403 the network is closed while programs run\r\n"));
  CHECK(gate.seen() == std::vector<std::string>{"other.test:443"});
}

TEST_CASE("a request that is none is answered, not tunnelled") {
  FakeGate gate;
  Jail jail;
  need_python(jail);
  jail.box->set_gate(&gate);
  for (const std::string first :
       {"b'GET / HTTP/1.1\\r\\n\\r\\n'", "b'CONNECT :443 HTTP/1.1\\r\\n\\r\\n'", "b'x\\r\\n\\r\\n'"}) {
    jail.run({"/usr/bin/python3", "-c", client(first, read_all + "sys.stdout.write(d.decode())")});
    CHECK(jail.printed.out.starts_with("HTTP/1.1 400 "));
  }
  CHECK(gate.seen().empty());
  jail.box->set_gate(nullptr);
}

TEST_CASE("a connection that may transfer no more ends at once, in either direction") {
  FakeGate gate;
  Jail jail;
  need_python(jail);
  gate.allowance = 200000;
  jail.box->set_gate(&gate);
  jail.run({"/usr/bin/python3", "-c",
            client("b'CONNECT echo.test:443 HTTP/1.1\\r\\n\\r\\n'",
                   "h=s.recv(39)\nn=0\ntry:\n  while n<3000000:\n    s.sendall(b'y'*1000)\n    "
                   "n+=len(s.recv(1000)) or "
                   "3000000\nexcept OSError: pass\nprint('ended')")});
  INFO(jail.printed.err);
  CHECK(jail.printed.out == "ended\n");
  CHECK(gate.allowance < 65536);
  jail.box->set_gate(nullptr);
}

TEST_CASE("a sandbox with open connections and a gate can be destroyed, and cancelled, at once") {
  FakeGate gate;
  Jail jail;
  need_python(jail);
  jail.box->set_gate(&gate);
  std::stop_source stop;
  std::jthread later([&] {
    const Time limit = soon();
    while (gate.seen().empty() && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(10ms);
    stop.request_stop();
  });
  sandbox::Step step;
  step.argv = {"/usr/bin/python3", "-c",
               client("b'CONNECT echo.test:443 HTTP/1.1\\r\\n\\r\\n'", "import time\ntime.sleep(300)")};
  step.env = {"PATH=/usr/bin:/bin"};
  Printed printed;
  CHECK(jail.box->step(step, printed, stop.get_token()).ending == sandbox::Ending::cancelled);
  CHECK(gate.seen() == std::vector<std::string>{"echo.test:443"});
  const auto before = std::chrono::steady_clock::now();
  jail.box.reset();
  CHECK(std::chrono::steady_clock::now() - before < 5s);
}
