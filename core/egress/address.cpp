#include "egress/address.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace codebox::egress {
namespace {

struct Range {
  std::array<std::uint8_t, 16> prefix;
  unsigned bits;
  Class meaning;
};

using Bytes = std::array<std::uint8_t, 16>;

constexpr Class private_{Kind::inner, "a private address"};
constexpr Class shared{Kind::inner, "an address of a carrier's shared network"};
constexpr Class loopback{Kind::loopback, "a loopback address"};
constexpr Class link_local{Kind::closed, "a link-local or metadata address"};
constexpr Class metadata{Kind::closed, "a metadata address"};
constexpr Class multicast{Kind::closed, "a multicast address"};
constexpr Class transition{Kind::closed, "an IPv4 address in IPv6 clothes"};
constexpr Class reserved{Kind::closed, "a reserved address"};
// Set aside for documents and benchmarks, but found in laboratories and behind company proxies as inner
// addresses.
constexpr Class documentation{Kind::inner, "an address set aside for documents or benchmarks"};

// IANA's special-purpose registries (RFC 6890 and its updates). The first match counts.
constexpr std::array v4{
    Range{{0}, 8, reserved},
    Range{{10}, 8, private_},
    Range{{100, 100, 100, 200}, 32, metadata},
    Range{{100, 64}, 10, shared},
    Range{{127}, 8, loopback},
    Range{{169, 254}, 16, link_local},
    Range{{172, 16}, 12, private_},
    Range{{192, 0, 0}, 24, reserved},
    Range{{192, 0, 2}, 24, documentation},
    Range{{192, 31, 196}, 24, reserved},
    Range{{192, 52, 193}, 24, reserved},
    Range{{192, 88, 99}, 24, transition},
    Range{{192, 168}, 16, private_},
    Range{{192, 175, 48}, 24, reserved},
    Range{{198, 18}, 15, documentation},
    Range{{198, 51, 100}, 24, documentation},
    Range{{203, 0, 113}, 24, documentation},
    Range{{224}, 4, multicast},
    Range{{240}, 4, reserved},
};

// Outside of 2000::/3 nothing is public.
constexpr std::array v6{
    Range{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, loopback},
    Range{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF}, 96, transition},
    Range{{0x00, 0x64, 0xFF, 0x9B}, 32, transition},
    Range{{0xFD, 0x00, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54}, 128, metadata},
    Range{{0xFD, 0x20, 0x00, 0xCE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54}, 128, metadata},
    Range{{0xFC}, 7, private_},
    Range{{0xFE, 0x80}, 10, link_local},
    Range{{0xFE, 0xC0}, 10, private_},
    Range{{0xFF}, 8, multicast},
    Range{{0x20, 0x01, 0x00, 0x00}, 32, transition},
    Range{{0x20, 0x01, 0x0D, 0xB8}, 32, reserved},
    Range{{0x20, 0x01}, 23, reserved},
    Range{{0x20, 0x02}, 16, transition},
    Range{{0x26, 0x20, 0x00, 0x4F, 0x80, 0x00}, 48, reserved},
    Range{{0x3F, 0xFF}, 20, reserved},
};

bool within(const Bytes& address, const Range& range) {
  for (unsigned bit = 0; bit < range.bits; bit += 8) {
    const unsigned used = std::min(8U, range.bits - bit);
    const auto mask = static_cast<std::uint8_t>(0xFFU << (8U - used));
    if ((address[bit / 8] & mask) != (range.prefix[bit / 8] & mask)) return false;
  }
  return true;
}

Bytes bytes_of(const Address& address) {
  Bytes bytes{};
  if (address.family() == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &address.storage, sizeof in);
    std::memcpy(bytes.data(), &in.sin_addr, sizeof in.sin_addr);
  } else {
    sockaddr_in6 in{};
    std::memcpy(&in, &address.storage, sizeof in);
    std::memcpy(bytes.data(), &in.sin6_addr, sizeof in.sin6_addr);
  }
  return bytes;
}

}  // namespace

std::optional<Address> Address::parse(const std::string& text, std::uint16_t port) {
  Address address;
  sockaddr_in in4{};
  sockaddr_in6 in6{};
  if (::inet_pton(AF_INET, text.c_str(), &in4.sin_addr) == 1) {
    in4.sin_family = AF_INET;
    in4.sin_port = htons(port);
    address.length = sizeof in4;
    std::memcpy(&address.storage, &in4, sizeof in4);
    return address;
  }
  if (::inet_pton(AF_INET6, text.c_str(), &in6.sin6_addr) == 1) {
    in6.sin6_family = AF_INET6;
    in6.sin6_port = htons(port);
    address.length = sizeof in6;
    std::memcpy(&address.storage, &in6, sizeof in6);
    return address;
  }
  return std::nullopt;
}

std::string Address::text() const {
  std::array<char, INET6_ADDRSTRLEN> out{};
  const Bytes bytes = bytes_of(*this);
  ::inet_ntop(family(), bytes.data(), out.data(), out.size());
  return out.data();
}

Address unwrapped(const Address& address) {
  if (address.family() != AF_INET6) return address;
  constexpr Range mapped{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF}, 96, transition};
  constexpr Range compatible{{0}, 96, transition};
  constexpr Range nat64{{0x00, 0x64, 0xFF, 0x9B}, 96, transition};
  constexpr Range six_to_four{{0x20, 0x02}, 16, transition};
  const Bytes bytes = bytes_of(address);
  std::size_t at = 0;
  if (within(bytes, six_to_four)) {
    at = 2;
  } else if (within(bytes, mapped) || within(bytes, nat64)) {
    at = 12;
  } else if (within(bytes, compatible) && (bytes[12] != 0 || bytes[13] != 0)) {
    at = 12;
  } else {
    return address;
  }
  Address inside;
  sockaddr_in in{};
  in.sin_family = AF_INET;
  std::memcpy(&in.sin_addr, bytes.data() + at, sizeof in.sin_addr);
  inside.length = sizeof in;
  std::memcpy(&inside.storage, &in, sizeof in);
  return inside;
}

bool same_host(const Address& a, const Address& b) {
  return a.family() == b.family() && bytes_of(a) == bytes_of(b);
}

Class classify(const Address& address) {
  const Bytes bytes = bytes_of(address);
  const auto matches = [&](const Range& range) { return within(bytes, range); };
  if (address.family() == AF_INET) {
    const auto found = std::find_if(v4.begin(), v4.end(), matches);
    return found != v4.end() ? found->meaning : Class{Kind::open, "a public address"};
  }
  const auto found = std::find_if(v6.begin(), v6.end(), matches);
  if (found != v6.end()) return found->meaning;
  return (bytes[0] & 0xE0U) == 0x20 ? Class{Kind::open, "a public address"} : reserved;
}

}  // namespace codebox::egress
