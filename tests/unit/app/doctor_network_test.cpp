#include <fstream>

#include "doctor.hpp"
#include "support/certificate.hpp"
#include "support/web_server.hpp"

using namespace codebox;
using namespace codebox::app;
using namespace codebox::app::test;
using doctor::Report;

namespace {

Report network_of(const Settings& settings) {
  Report report;
  doctor::look_at_network(report, settings);
  return report;
}

}  // namespace

TEST_CASE("each network mode is told in one line") {
  Settings settings;
  CHECK(has(line(network_of(settings), "network").text, "public hosts"));
  settings.run.network = run::Network::none;
  CHECK(has(line(network_of(settings), "network").text, "reach nothing"));
  settings.run.network = run::Network::allowlist;
  settings.run.rules.allowed_hosts = {"index.example"};
  CHECK(has(line(network_of(settings), "network").text, "SANDBOX_ALLOWED_HOSTS at any time"));
  settings.run.networks["go"] = run::Network::full;
  CHECK(has(line(network_of(settings), "network-full").text, "all that this host reaches"));
}

TEST_CASE("a host or a proxy that cannot be read is a bad setting") {
  Settings settings;
  settings.run.rules.allowed_hosts = {"not a host"};
  CHECK(network_of(settings).exit_status() == 2);
  settings.run.rules.allowed_hosts.clear();
  settings.run.rules.proxy = "ftp://proxy";
  CHECK(network_of(settings).exit_status() == 2);
}

TEST_CASE("the egress proxy is reached or not, and its password stays unsaid") {
  const support::WebServer proxy([](const support::WebRequest&, const support::WebConnection&) {});
  Settings settings;
  settings.run.rules.proxy = "http://ann:hidden-word@127.0.0.1:" + std::to_string(proxy.port());
  const Report good = network_of(settings);
  CHECK(good.exit_status() == 0);
  CHECK(has(line(good, "egress-proxy").text, "takes connections"));
  settings.run.rules.proxy = "http://ann:hidden-word@127.0.0.1:1";
  const Report bad = network_of(settings);
  CHECK(bad.exit_status() == 1);
  CHECK(has(line(bad, "egress-proxy").text, "127.0.0.1 port 1"));
  CHECK_FALSE(has(good.text() + bad.text(), "hidden-word"));
}

TEST_CASE("a bundle of authorities is counted, or says why it cannot be used") {
  const support::Authority authority;
  Settings settings;
  settings.ca_bundle = authority.certificate();
  CHECK(has(line(network_of(settings), "ca-bundle").text, "holds 1 certificate"));
  settings.ca_bundle = "/nonexistent/ca.pem";
  CHECK(network_of(settings).exit_status() == 2);
  const Folder folder;
  settings.ca_bundle = folder.path() / "ca.pem";
  std::ofstream(settings.ca_bundle) << "no certificate\n";
  CHECK(network_of(settings).exit_status() == 2);
}

TEST_CASE("a plugin folder that is not there is a bad setting, an empty one is a problem") {
  const Folder folder;
  Settings settings;
  settings.plugin_dir = folder.path() / "none";
  Report missing;
  CHECK(doctor::look_at_plugins(missing, settings, "/nonexistent/codebox").empty());
  CHECK(missing.exit_status() == 2);
  settings.plugin_dir = folder.path();
  Report empty;
  CHECK(doctor::look_at_plugins(empty, settings, "/nonexistent/codebox").empty());
  CHECK(empty.exit_status() == 1);
}
