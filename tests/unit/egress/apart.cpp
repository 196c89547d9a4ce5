#include "egress/apart.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/web_server.hpp"

using namespace codebox;
using namespace codebox::egress;

namespace {

void greet(const support::WebRequest&, const support::WebConnection& connection) {
  connection.send("hello");
}

std::string refusal(Gate& gate, const std::string& host, std::uint16_t port) {
  const auto socket = gate.connect(host, port, {});
  INFO(host);
  REQUIRE_FALSE(socket);
  return socket.failure().message;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Rules all_local(std::uint16_t port) {
  Rules rules;
  for (const char* host : {"127.0.0.1", "127.9.9.9", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]", "[::1]"}) {
    rules.allowed_hosts.push_back(std::string(host) + ":" + std::to_string(port));
  }
  return rules;
}

const char* const local_names[] = {"127.0.0.1", "127.9.9.9", "localhost", "0.0.0.0", "::ffff:127.0.0.1"};

}  // namespace

TEST_CASE("this server stays out of reach on every address of the machine, listed or not") {
  const support::WebServer server(greet);
  Rules rules = all_local(server.port());
  CHECK(make_gate(rules)->connect("127.0.0.1", server.port(), {}));
  const auto port = std::make_shared<std::atomic<std::uint16_t>>(server.port());
  rules.own_port = port;
  const auto gate = make_gate(rules);
  for (const char* host : local_names) CHECK(has(refusal(*gate, host, server.port()), "it is this server"));

  // The port becomes known only when the server listens.
  *port = 1;
  CHECK(gate->connect("127.0.0.1", server.port(), {}));
}

TEST_CASE("a service is known by its name, by its address and by any other address of the same machine") {
  const support::WebServer server(greet);
  Rules rules = all_local(server.port());
  rules.apart = {{"Open WebUI", "localhost", server.port()}};
  const auto gate = make_gate(rules);
  for (const char* host : local_names) CHECK(has(refusal(*gate, host, server.port()), "it is Open WebUI"));
}

TEST_CASE("another port of a service's host is judged by the list alone") {
  const support::WebServer server(greet);
  Rules rules = all_local(server.port());
  rules.apart = {{"Open WebUI", "127.0.0.1", static_cast<std::uint16_t>(server.port() ^ 1U)}};
  CHECK(make_gate(rules)->connect("127.0.0.1", server.port(), {}));
}

TEST_CASE("a wildcard that covers a service's name does not open it, through a proxy neither") {
  Rules rules;
  rules.allowed_hosts = {"*.example.test:8080"};
  rules.apart = {{"Open WebUI", "chat.example.test", 8080}};
  CHECK(has(refusal(*make_gate(rules), "Chat.Example.test", 8080), "it is Open WebUI"));
  CHECK(has(refusal(*make_gate(rules), "chat.example.test.", 8080), "it is Open WebUI"));
  rules.proxy = "http://127.0.0.1:9";
  CHECK(has(refusal(*make_gate(rules), "chat.example.test", 8080), "it is Open WebUI"));
  CHECK_FALSE(has(refusal(*make_gate(rules), "other.example.test", 8080), "it is Open WebUI"));
}

TEST_CASE("IPv4 addresses in IPv6 clothes are unwrapped, others stay as they are") {
  const auto plain = [](const char* text) { return unwrapped(*Address::parse(text)).text(); };
  CHECK(plain("::ffff:10.1.2.3") == "10.1.2.3");
  CHECK(plain("::10.1.2.3") == "10.1.2.3");
  CHECK(plain("64:ff9b::10.1.2.3") == "10.1.2.3");
  CHECK(plain("2002:a01:203::5") == "10.1.2.3");
  CHECK(plain("::1") == "::1");
  CHECK(plain("2001:4860::1") == "2001:4860::1");
  CHECK(plain("10.1.2.3") == "10.1.2.3");
}

TEST_CASE("an address of the documentation's is not this machine's") {
  CHECK(is_local(*Address::parse("127.0.0.1")));
  CHECK_FALSE(is_local(*Address::parse("203.0.113.254")));
}
