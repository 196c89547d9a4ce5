#include "egress/address.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace codebox::egress;

namespace {

struct Case {
  const char* address;
  Kind kind;
};

}  // namespace

TEST_CASE("an address is public, inner, loopback or closed by the range that it lies in") {
  const auto given = GENERATE(
      Case{"0.0.0.0", Kind::closed}, Case{"0.1.2.3", Kind::closed}, Case{"1.0.0.0", Kind::open},
      Case{"9.255.255.255", Kind::open}, Case{"10.0.0.0", Kind::inner}, Case{"10.255.255.255", Kind::inner},
      Case{"11.0.0.0", Kind::open}, Case{"100.63.255.255", Kind::open}, Case{"100.64.0.0", Kind::inner},
      Case{"100.100.100.200", Kind::closed}, Case{"100.127.255.255", Kind::inner},
      Case{"100.128.0.0", Kind::open}, Case{"127.0.0.1", Kind::loopback},
      Case{"127.255.255.255", Kind::loopback}, Case{"128.0.0.1", Kind::open},
      Case{"169.254.0.0", Kind::closed}, Case{"169.254.169.254", Kind::closed},
      Case{"169.255.0.0", Kind::open}, Case{"172.15.255.255", Kind::open}, Case{"172.16.0.0", Kind::inner},
      Case{"172.31.255.255", Kind::inner}, Case{"172.32.0.0", Kind::open}, Case{"192.0.0.1", Kind::closed},
      Case{"192.0.2.1", Kind::inner}, Case{"192.88.99.1", Kind::closed}, Case{"192.167.255.255", Kind::open},
      Case{"192.168.0.0", Kind::inner}, Case{"192.168.255.255", Kind::inner},
      Case{"198.17.255.255", Kind::open}, Case{"198.18.0.0", Kind::inner},
      Case{"198.19.255.255", Kind::inner}, Case{"198.20.0.0", Kind::open},
      Case{"198.51.100.7", Kind::inner}, Case{"203.0.113.7", Kind::inner},
      Case{"223.255.255.255", Kind::open}, Case{"224.0.0.1", Kind::closed},
      Case{"239.255.255.255", Kind::closed}, Case{"240.0.0.1", Kind::closed},
      Case{"255.255.255.255", Kind::closed}, Case{"::", Kind::closed}, Case{"::1", Kind::loopback},
      Case{"::2", Kind::closed}, Case{"::ffff:127.0.0.1", Kind::closed}, Case{"::ffff:1.1.1.1", Kind::closed},
      Case{"::10.0.0.1", Kind::closed}, Case{"64:ff9b::a00:1", Kind::closed},
      Case{"64:ff9b:1::1", Kind::closed}, Case{"100::1", Kind::closed}, Case{"2001::1", Kind::closed},
      Case{"2001:10::1", Kind::closed}, Case{"2001:20::1", Kind::closed}, Case{"2001:db8::1", Kind::closed},
      Case{"2001:4860:4860::8888", Kind::open}, Case{"2002:a00:1::", Kind::closed},
      Case{"2606:4700::1111", Kind::open}, Case{"3fff::1", Kind::closed}, Case{"4000::1", Kind::closed},
      Case{"fc00::1", Kind::inner}, Case{"fd00:ec2::254", Kind::closed}, Case{"fd12:3456::1", Kind::inner},
      Case{"fe80::1", Kind::closed}, Case{"fec0::1", Kind::inner}, Case{"ff02::1", Kind::closed});
  INFO(given.address);
  const auto address = Address::parse(given.address);
  REQUIRE(address);
  CHECK(classify(*address).kind == given.kind);
}

TEST_CASE("an address reads back as it was written, and nonsense is no address") {
  CHECK(Address::parse("192.168.1.2", 80)->text() == "192.168.1.2");
  CHECK(Address::parse("2001:DB8::0:1")->text() == "2001:db8::1");
  for (const char* text :
       {"", "1.2.3", "0x7f.1", "2130706433", "fe80::1%eth0", "[::1]", "1.2.3.4.5", "::1 "}) {
    INFO(text);
    CHECK_FALSE(Address::parse(text));
  }
}
