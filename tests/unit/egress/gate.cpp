#include "egress/gate.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <thread>

#include "support/web_server.hpp"

using namespace codebox;
using namespace codebox::egress;
using codebox::support::WebConnection;
using codebox::support::WebRequest;
using codebox::support::WebServer;
using namespace std::chrono_literals;

namespace {

std::string said_over(const Fd& socket, const std::string& request) {
  const WebConnection connection(socket.get(), -1);
  connection.send(request);
  return connection.receive();
}

void greet(const WebRequest&, const WebConnection& connection) {
  connection.send("hello");
}

std::string at(const std::string& host, const WebServer& server) {
  return host + ":" + std::to_string(server.port());
}

}  // namespace

TEST_CASE("a listed local host is reached") {
  const WebServer server(greet);
  const auto gate =
      make_gate({.allowed_hosts = {at("127.0.0.1", server), at("localhost", server)}, .proxy = ""});
  for (const char* host : {"127.0.0.1", "localhost", "LOCALHOST"}) {
    INFO(host);
    const auto socket = gate->connect(host, server.port(), {});
    REQUIRE(socket);
    CHECK(said_over(*socket, "x\r\n\r\n") == "hello");
  }
}

TEST_CASE("this machine is refused in every spelling where it is not listed") {
  const auto gate = make_gate({});
  for (const char* host :
       {"127.0.0.1", "localhost", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "::1", "::ffff:127.0.0.1",
        "0.0.0.0", "::", "10.0.0.1", "169.254.169.254", "fd00:ec2::254"}) {
    INFO(host);
    const auto socket = gate->connect(host, 80, {});
    REQUIRE_FALSE(socket);
    CHECK(socket.failure().reason == Reason::invalid);
    CHECK(socket.failure().message.find("The network of this sandbox does not reach") == 0);
  }
}

TEST_CASE("what is no host is refused in one line") {
  const auto socket = make_gate({})->connect("evil\r\nX: y", 443, {});
  REQUIRE_FALSE(socket);
  CHECK(socket.failure().reason == Reason::invalid);
  CHECK(socket.failure().message.find('\n') == std::string::npos);
}

TEST_CASE("an unknown name is said to be unknown") {
  const auto gate = make_gate({.allowed_hosts = {"nothing.invalid"}, .proxy = ""});
  const auto socket = gate->connect("nothing.invalid", 443, {});
  REQUIRE_FALSE(socket);
  CHECK(socket.failure().reason == Reason::offline);
}

TEST_CASE("a port where nobody listens is said to refuse") {
  std::uint16_t port = 0;
  {
    port = WebServer(greet).port();
  }
  const auto gate = make_gate({.allowed_hosts = {"127.0.0.1:" + std::to_string(port)}, .proxy = ""});
  const auto socket = gate->connect("127.0.0.1", port, {});
  REQUIRE_FALSE(socket);
  CHECK(socket.failure().reason == Reason::offline);
}

TEST_CASE("a cancelled call dials no more") {
  std::stop_source stop;
  stop.request_stop();
  const WebServer proxy(
      [](const WebRequest&, const WebConnection& connection) { connection.wait_for_close(20s); });
  const auto gate = make_gate({.allowed_hosts = {}, .proxy = proxy.url()});
  const auto socket = gate->connect("example.org", 443, stop.get_token());
  REQUIRE_FALSE(socket);
  CHECK(socket.failure().reason == Reason::cancelled);
}

TEST_CASE("a proxy that stays silent is left when the call is cancelled") {
  const WebServer proxy(
      [](const WebRequest&, const WebConnection& connection) { connection.wait_for_close(20s); });
  const auto gate = make_gate({.allowed_hosts = {}, .proxy = proxy.url()});
  std::stop_source stop;
  std::thread canceller([&] {
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (proxy.requests().empty() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    stop.request_stop();
  });
  const auto socket = gate->connect("example.org", 443, stop.get_token());
  canceller.join();
  REQUIRE_FALSE(socket);
  CHECK(socket.failure().reason == Reason::cancelled);
}

TEST_CASE("a proxy gets CONNECT with the credentials, and every byte after its head is the tunnel's") {
  const WebServer proxy([](const WebRequest&, const WebConnection& connection) {
    connection.send("HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\nfirst");
  });
  const std::string url = "http://user:p%40ss@127.0.0.1:" + std::to_string(proxy.port());
  const auto socket = make_gate({.allowed_hosts = {}, .proxy = url})->connect("example.org", 443, {});
  REQUIRE(socket);
  CHECK(WebConnection(socket->get(), -1).receive() == "first");
  const auto asked = proxy.requests().at(0);
  CHECK(asked.line == "CONNECT example.org:443 HTTP/1.1");
  CHECK(asked.head.find("Proxy-Authorization: Basic dXNlcjpwQHNz\r\n") != std::string::npos);
}

TEST_CASE("a proxy's refusal comes as one bounded line without its credentials") {
  const WebServer proxy([](const WebRequest&, const WebConnection& connection) {
    connection.send("HTTP/1.1 403 \x1b[31m" + std::string(4000, 'x') + "\r\n\r\n");
  });
  const std::string url = "http://user:secret@127.0.0.1:" + std::to_string(proxy.port());
  const auto socket = make_gate({.allowed_hosts = {}, .proxy = url})->connect("example.org", 443, {});
  REQUIRE_FALSE(socket);
  const std::string said = socket.failure().message;
  CHECK(said.find("403") != std::string::npos);
  CHECK(said.size() < 400);
  CHECK(said.find('\x1b') == std::string::npos);
  CHECK(said.find("secret") == std::string::npos);
}

TEST_CASE("a proxy that never ends its head is left") {
  const WebServer proxy([](const WebRequest&, const WebConnection& connection) {
    connection.send("HTTP/1.1 200 OK\r\nX: " + std::string(20000, 'x'));
    connection.wait_for_close(20s);
  });
  const auto socket = make_gate({.allowed_hosts = {}, .proxy = proxy.url()})->connect("example.org", 443, {});
  REQUIRE_FALSE(socket);
  CHECK(socket.failure().reason == Reason::offline);
}

TEST_CASE("a proxy is not asked for private addresses, in whatever spelling") {
  const WebServer proxy(greet);
  const auto gate = make_gate({.allowed_hosts = {}, .proxy = proxy.url()});
  for (const char* host :
       {"127.0.0.1", "0x7f.1", "10.0.0.1", "169.254.169.254", "::1", "localhost", "a.localhost"}) {
    INFO(host);
    CHECK_FALSE(gate->connect(host, 80, {}));
  }
  CHECK(proxy.requests().empty());
}

TEST_CASE("rules that cannot be read let nothing through and say why") {
  const auto socket =
      make_gate({.allowed_hosts = {"http://x/"}, .proxy = ""})->connect("example.org", 443, {});
  REQUIRE_FALSE(socket);
  CHECK(socket.failure().message.find("SANDBOX_ALLOWED_HOSTS") != std::string::npos);
}
