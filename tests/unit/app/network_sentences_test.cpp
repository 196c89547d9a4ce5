#include <catch2/catch_test_macros.hpp>

#include "egress/gate.hpp"
#include "egress/meter.hpp"
#include "sentences.hpp"

using namespace codebox;
using namespace codebox::app::test;

namespace {

std::string gate_says(egress::Rules rules, const std::string& host, std::uint16_t port) {
  return sentence(egress::make_gate(rules)->connect(host, port, {}));
}

std::string allowing(const std::string& entry, const std::string& host, std::uint16_t port) {
  egress::Rules rules;
  if (!entry.empty()) rules.allowed_hosts = {entry};
  return gate_says(std::move(rules), host, port);
}

std::string kept_apart() {
  egress::Rules rules;
  rules.allowed_hosts = {"192.0.2.7:8080"};
  rules.apart = {{"Open WebUI", "192.0.2.7", 8080}};
  return gate_says(std::move(rules), "192.0.2.7", 8080);
}

}  // namespace

TEST_CASE("the page for operators has what a sandbox's network says, word for word") {
  egress::Allowance none;
  none.connections = 0;
  egress::Meter no_more(egress::make_gate({}), none);
  egress::Allowance little;
  little.traffic = 1;
  egress::Meter spent(egress::make_gate({}), little);
  (void)spent.spend(2);
  compare("Network of a sandbox",
          {{"the host is not listed", allowing("a.example", "b.example", 443)},
           {"it listens on another port", allowing("", "b.example", 22)},
           {"it has an inner address and is not listed", allowing("", "10.1.2.3", 443)},
           {"an inner address in the clothes of IPv6", allowing("", "::ffff:127.0.0.1", 443)},
           {"it is this server, Open WebUI, the engine or the proxy", kept_apart()},
           {"nobody knows the name", allowing("", "nobody.invalid", 443)},
           {"nobody listens there", allowing("127.0.0.1:1", "127.0.0.1", 1)},
           {"what is asked for is no host", allowing("", "a b", 443)},
           {"too many connections", sentence(no_more.connect("b.example", 443, {}))},
           {"too much traffic", sentence(spent.connect("b.example", 443, {}))}});
}
