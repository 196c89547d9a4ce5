#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "egress/address.hpp"
#include "egress/gate.hpp"

namespace codebox::egress {

/// Where a proxy listens and what it wants to hear. Plain value.
struct Proxy {
  std::string host;
  std::uint16_t port = 0;
  std::string credentials;  ///< "user:password", or empty
};

/// The rules of a Gate, read once. Immutable; any thread.
class Ruling {
 public:
  /// Fails with a sentence that names the setting and the entry that cannot be read.
  static Result<Ruling> read(const Rules& rules);

  /// May `host` (as asked for, well-formed, lower case) be tried at all on this port?
  Result<void> admits(const std::string& host, std::uint16_t port) const;
  /// May this address, which `host` stands for, be dialled? Asked after admits().
  Result<void> admits(const std::string& host, std::uint16_t port, const Address& address) const;
  const std::optional<Proxy>& proxy() const { return proxy_; }

 private:
  struct Entry {
    std::string name;  // lower case; "*.suffix" or exact; empty for an address
    std::optional<Address> address;
    std::optional<std::uint16_t> port;
  };
  static std::optional<Entry> read_entry(const std::string& text);
  const Entry* listed(const std::string& host, std::uint16_t port) const;

  std::vector<Entry> entries_;
  std::optional<Proxy> proxy_;
};

/// Whether `host` is a well-formed name or address: no user, space, zone or bracket, at most 253 bytes.
bool is_host(const std::string& host);

/// A name as it is without the dot of the root that may end it.
std::string without_dot(std::string host);

/// "http://user:p%40ss@proxy:3128" taken apart.
std::optional<Proxy> read_proxy(const std::string& url);

}  // namespace codebox::egress
