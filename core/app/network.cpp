#include "app/network.hpp"

#include <Poco/Exception.h>
#include <Poco/URI.h>

#include <algorithm>

#include "base/text.hpp"
#include "egress/rules.hpp"

namespace codebox::app {
namespace {

// The hosts and ports of a URL, where it names a host; a URL that cannot be read is complained of where it is
// used.
std::vector<egress::Service> services(const std::string& what, const std::string& url,
                                      const std::vector<std::uint16_t>& usual_ports) {
  std::vector<egress::Service> found;
  try {
    const Poco::URI read(url);
    std::string host = read.getHost();
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    if (host.empty()) return found;
    if (read.getPort() != 0) return {{what, host, read.getPort()}};
    for (const std::uint16_t port : usual_ports) found.push_back({what, host, port});
  } catch (const Poco::Exception&) {
    found.clear();
  }
  return found;
}

}  // namespace

bool uses(const Settings& settings, run::Network mode) {
  const auto& own = settings.run.networks;
  return settings.run.network == mode ||
         std::any_of(own.begin(), own.end(), [mode](const auto& entry) { return entry.second == mode; });
}

void keep_apart(Settings& settings) {
  auto& apart = settings.run.rules.apart;
  const auto add = [&](const char* what, const std::string& url,
                       const std::vector<std::uint16_t>& ports = {}) {
    for (auto& service : services(what, url, ports)) apart.push_back(std::move(service));
  };
  add("Open WebUI", settings.owui_base_url);
  add("Open WebUI", settings.owui_public_url);
  add("this server", settings.public_url);
  add("the container engine", settings.container_host, {2375, 2376});
  if (const auto proxy = egress::read_proxy(settings.run.rules.proxy)) {
    apart.push_back({"the egress proxy", proxy->host, proxy->port});
  }
  *settings.own_port = settings.http.port;
  settings.run.rules.own_port = settings.own_port;
}

std::vector<std::string> network_warnings(const Settings& settings,
                                          const std::vector<std::string>& languages) {
  std::vector<std::string> open;
  for (const std::string& id : languages) {
    if (run::network_of(settings.run, id) == run::Network::full) open.push_back(id);
  }
  if (open.empty()) return {};
  return {"SANDBOX_NETWORK is full for " + text::join(open, ", ") +
          ": programs of users reach all that this host reaches, also private addresses, cloud metadata, "
          "Open WebUI and "
          "this server; SANDBOX_ALLOWED_HOSTS, EGRESS_PROXY, SANDBOX_MAX_TRAFFIC and SANDBOX_MAX_CONNECTIONS "
          "do not "
          "bind them. See docs/network.md."};
}

}  // namespace codebox::app
