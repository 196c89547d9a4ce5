#include <netdb.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <sys/socket.h>

#include <cstring>
#include <memory>

#include "app/doctor.hpp"
#include "app/graph.hpp"
#include "app/network.hpp"
#include "base/text.hpp"
#include "egress/dial.hpp"
#include "egress/rules.hpp"

namespace codebox::app::doctor {
namespace {

constexpr std::chrono::seconds patience{5};

// How many certificates a PEM text holds. Poco's reader loses memory over a text that holds none.
std::size_t certificates_in(const std::string& pem) {
  const std::unique_ptr<BIO, void (*)(BIO*)> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())),
                                                 &BIO_free_all);
  std::size_t count = 0;
  while (X509* const certificate = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    X509_free(certificate);
    ++count;
  }
  ERR_clear_error();
  return count;
}

void look_at_bundle(Report& report, const std::string& file) {
  const auto content = read_file("SANDBOX_CA_BUNDLE", file);
  if (!content) return report.problem("ca-bundle", content.failure());
  const std::string shown = "SANDBOX_CA_BUNDLE " + text::quoted(file);
  const auto unusable = [&](const std::string& why) {
    report.problem("ca-bundle", Failure{Reason::invalid, shown + " cannot be used (" + why +
                                                             "): it must be a file of PEM certificates."});
  };
  const std::size_t certificates = certificates_in(*content);
  if (certificates == 0) return unusable("it holds no certificate");
  report.ok("ca-bundle", shown + " holds " + std::to_string(certificates) + " certificates.");
}

// Why no connection to the proxy can be made; empty where one was.
std::string unreachable(const egress::Proxy& proxy) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(proxy.host.c_str(), std::to_string(proxy.port).c_str(), &hints, &found);
  if (error != 0) return ::gai_strerror(error);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, &::freeaddrinfo);
  std::string why;
  const Time deadline = std::chrono::steady_clock::now() + patience;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    egress::Address address;
    std::memcpy(&address.storage, one->ai_addr, one->ai_addrlen);
    address.length = one->ai_addrlen;
    const auto socket = egress::dial(address, deadline, {});
    if (socket) return "";
    why = socket.failure().message;
  }
  return why;
}

}  // namespace

void look_at_network(Report& report, const Settings& settings) {
  if (!settings.ca_bundle.empty()) look_at_bundle(report, settings.ca_bundle);
  const auto ruling = egress::Ruling::read(settings.run.rules);
  if (!ruling) return report.problem("network", ruling.failure());
  if (uses(settings, run::Network::full)) {
    report.warn("network-full",
                "SANDBOX_NETWORK is full for a language: its programs reach all that this host reaches, "
                "also private addresses and this server; docs/network.md says what to close.");
  }
  if (settings.run.network == run::Network::none) {
    return report.ok("network", "Sandboxes reach nothing and install no packages (SANDBOX_NETWORK=none).");
  }
  const bool listed = !settings.run.rules.allowed_hosts.empty();
  const std::string when =
      settings.run.network == run::Network::allowlist ? " at any time." : " while packages install.";
  report.ok("network",
            "Sandboxes reach " +
                std::string(listed ? "SANDBOX_ALLOWED_HOSTS" : "public hosts on ports 80 and 443") + when);
  if (!ruling->proxy()) return;
  const egress::Proxy& proxy = *ruling->proxy();
  // Its user and password stay unsaid.
  const std::string shown = "EGRESS_PROXY at " + proxy.host + " port " + std::to_string(proxy.port);
  if (const std::string why = unreachable(proxy); !why.empty()) {
    return report.problem("egress-proxy",
                          shown + " cannot be reached (" + why + "): correct it, or start the proxy.");
  }
  report.ok("egress-proxy", shown + " takes connections.");
}

}  // namespace codebox::app::doctor
