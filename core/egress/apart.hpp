#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "egress/address.hpp"
#include "egress/gate.hpp"

namespace codebox::egress {

/// The services that stay out of every sandbox's reach, whatever the operator lists: a wildcard or an address
/// in SANDBOX_ALLOWED_HOSTS is easily wider than meant, and behind these a sandbox would act as the server,
/// as a person, or as root of the host. Each is known by name and by every address that its name has at that
/// moment. Owned by a gate; immutable; any thread.
class Apart {
 public:
  explicit Apart(const Rules& rules) : services_(rules.apart), own_port_(rules.own_port) {}

  /// What is called so ("Open WebUI"), or nothing. `host` is in lower case.
  std::optional<std::string> named(const std::string& host, std::uint16_t port) const;
  /// What listens there, or nothing. A service whose name is unknown here cannot be compared.
  std::optional<std::string> at(const Address& address, std::uint16_t port) const;

 private:
  std::vector<Service> services_;
  std::shared_ptr<const std::atomic<std::uint16_t>> own_port_;
};

/// Whether the address is one of this machine's, as 0.0.0.0 and all of 127.0.0.0/8 are.
bool is_local(const Address& address);

}  // namespace codebox::egress
