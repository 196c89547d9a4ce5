#include "egress/apart.hpp"

#include <sys/socket.h>

#include <algorithm>

#include "base/fd.hpp"
#include "base/text.hpp"
#include "egress/resolve.hpp"
#include "egress/rules.hpp"

namespace codebox::egress {
namespace {

constexpr const char* this_server = "this server";

}  // namespace

bool is_local(const Address& address) {
  const Address plain = unwrapped(address);
  const auto own = Address::parse(plain.text());
  if (!own) return false;
  const Fd probe(::socket(own->family(), SOCK_DGRAM | SOCK_CLOEXEC, 0));
  return probe && ::bind(probe.get(), reinterpret_cast<const sockaddr*>(&own->storage), own->length) == 0;
}

std::optional<std::string> Apart::named(const std::string& host, std::uint16_t port) const {
  const auto found = std::find_if(services_.begin(), services_.end(), [&](const Service& service) {
    return service.port == port && without_dot(text::lower(service.host)) == without_dot(host);
  });
  if (found != services_.end()) return found->what;
  return std::nullopt;
}

std::optional<std::string> Apart::at(const Address& address, std::uint16_t port) const {
  const bool own = own_port_ && *own_port_ == port;
  const bool local = is_local(address);
  if (own && local) return this_server;
  const Address target = unwrapped(address);
  for (const Service& service : services_) {
    // Names are looked up only where the port already fits, so nearly every connection costs no look-up.
    if (service.port != port) continue;
    for (const Address& known : resolve(service.host, port, 0)) {
      if (same_host(unwrapped(known), target) || (local && is_local(known))) return service.what;
    }
  }
  return std::nullopt;
}

}  // namespace codebox::egress
