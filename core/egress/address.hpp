#pragma once
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>

namespace codebox::egress {

/// One IPv4 or IPv6 address with a port, ready for connect(2). Plain value.
struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;

  /// From dotted IPv4 or IPv6 text without brackets or zone; nothing where it is neither.
  static std::optional<Address> parse(const std::string& text, std::uint16_t port = 0);
  int family() const { return storage.ss_family; }
  std::string text() const;  ///< without the port
};

/// The IPv4 address inside a mapped, compatible, NAT64 or 6to4 one; any other address as it is.
Address unwrapped(const Address& address);

/// Whether both have the same address, whatever their ports. Pure; any thread.
bool same_host(const Address& a, const Address& b);

/// How far an address is from the public internet, and what opens it to a sandbox.
enum class Kind {
  open,      ///< an address of the public internet
  inner,     ///< private, unique local, shared (CGNAT): reachable where the operator lists the host
  loopback,  ///< this machine: reachable where the operator lists the very name or address
  closed,    ///< link-local, metadata, multicast, transition, reserved: only where the very address is listed
};

/// What an address is. Plain value.
struct Class {
  Kind kind = Kind::closed;
  const char* what = "";  ///< for messages: "a private address"
};

/// By the registries of IANA for special-purpose addresses (RFC 6890) and what carries IPv4 in IPv6. Pure;
/// any thread.
Class classify(const Address& address);

}  // namespace codebox::egress
