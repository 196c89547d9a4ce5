#include "app/network.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace codebox;

namespace {

app::Settings read(const app::Variables& variables) {
  auto settings = app::read_settings(variables, {});
  REQUIRE(settings.ok());
  return *settings;
}

bool apart(const app::Settings& settings, const std::string& what, const std::string& host,
           std::uint16_t port) {
  const auto& all = settings.run.rules.apart;
  return std::any_of(all.begin(), all.end(), [&](const egress::Service& service) {
    return service.what == what && service.host == host && service.port == port;
  });
}

}  // namespace

TEST_CASE("a language's own network mode comes before the server's") {
  const auto settings = read({{"SANDBOX_NETWORK", "none"}, {"SANDBOX_NETWORK_GO", "Full"}});
  CHECK(run::network_of(settings.run, "python") == run::Network::none);
  CHECK(run::network_of(settings.run, "go") == run::Network::full);
  CHECK(app::uses(settings, run::Network::full));
  CHECK_FALSE(app::uses(settings, run::Network::allowlist));
}

TEST_CASE("a network mode that does not exist is named, also a language's") {
  for (const char* name : {"SANDBOX_NETWORK", "SANDBOX_NETWORK_GO"}) {
    const auto refused = app::read_settings({{name, "open"}}, {});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.failure().message.find(std::string(name) +
                                         " is malformed: it must be one of none, install, "
                                         "allowlist, full") != std::string::npos);
  }
  CHECK_FALSE(app::read_settings({{"SANDBOX_NETWORK_GO", "allowlist"}}, {}).ok());
}

TEST_CASE("the limits of a call's network are settings") {
  CHECK(read({}).run.allowance.traffic == 2ULL << 30);
  CHECK(read({}).run.allowance.connections == 256);
  const auto settings = read({{"SANDBOX_MAX_TRAFFIC", "5MB"}, {"SANDBOX_MAX_CONNECTIONS", "7"}});
  CHECK(settings.run.allowance.traffic == 5ULL << 20);
  CHECK(settings.run.allowance.connections == 7);
}

TEST_CASE("this server, Open WebUI, the engine and the proxy stay apart") {
  const auto settings = read({{"PORT", "9000"},
                              {"OWUI_BASE_URL", "http://open-webui:8080/base"},
                              {"OWUI_PUBLIC_URL", "https://chat.example"},
                              {"PUBLIC_URL", "https://[2001:db8::5]:8443/x"},
                              {"CONTAINER_HOST", "tcp://engine.example"},
                              {"EGRESS_PROXY", "http://user:p%40ss@proxy.example:3128"}});
  CHECK(apart(settings, "Open WebUI", "open-webui", 8080));
  CHECK(apart(settings, "Open WebUI", "chat.example", 443));
  CHECK(apart(settings, "this server", "2001:db8::5", 8443));
  CHECK(apart(settings, "the container engine", "engine.example", 2375));
  CHECK(apart(settings, "the container engine", "engine.example", 2376));
  CHECK(apart(settings, "the egress proxy", "proxy.example", 3128));
  REQUIRE(settings.run.rules.own_port);
  CHECK(*settings.run.rules.own_port == 9000);
  *settings.own_port = 9001;
  CHECK(*settings.run.rules.own_port == 9001);
  CHECK(read({{"CONTAINER_HOST", "unix:///run/docker.sock"}}).run.rules.apart.empty());
}

TEST_CASE("full is said loudly, with the languages that have it") {
  const auto settings = read({{"SANDBOX_NETWORK_GO", "full"}});
  CHECK(app::network_warnings(settings, {"python"}).empty());
  const auto warnings = app::network_warnings(settings, {"go", "python"});
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].starts_with("SANDBOX_NETWORK is full for go: "));
}
