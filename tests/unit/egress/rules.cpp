#include "egress/rules.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace codebox;
using namespace codebox::egress;

namespace {

Ruling listing(std::vector<std::string> hosts) {
  auto ruling = Ruling::read({.allowed_hosts = std::move(hosts), .proxy = ""});
  REQUIRE(ruling);
  return *ruling;
}

bool admits(const Ruling& ruling, const std::string& host, std::uint16_t port, const char* address) {
  return ruling.admits(host, port).ok() && ruling.admits(host, port, *Address::parse(address)).ok();
}

}  // namespace

TEST_CASE("without a list every public address on 80 and 443 is open and nothing else") {
  const Ruling ruling = listing({});
  CHECK(admits(ruling, "example.org", 443, "1.1.1.1"));
  CHECK(admits(ruling, "example.org", 80, "2606:4700::1111"));
  CHECK_FALSE(admits(ruling, "example.org", 22, "1.1.1.1"));
  CHECK_FALSE(admits(ruling, "example.org", 443, "10.0.0.1"));
  CHECK_FALSE(admits(ruling, "example.org", 443, "127.0.0.1"));
  CHECK_FALSE(admits(ruling, "example.org", 443, "169.254.169.254"));
}

TEST_CASE("with a list only listed hosts are open, and those may be private") {
  const Ruling ruling =
      listing({"index.corp", "*.example.com", "10.1.2.3:8443", "[fd00::5]:80", "repo.corp:8081"});
  CHECK(admits(ruling, "index.corp", 443, "10.0.0.1"));
  CHECK(admits(ruling, "index.corp.", 443, "10.0.0.1"));
  CHECK_FALSE(admits(ruling, "index.corp", 8080, "10.0.0.1"));
  CHECK(admits(ruling, "a.b.example.com", 443, "1.1.1.1"));
  CHECK_FALSE(admits(ruling, "example.com", 443, "1.1.1.1"));
  CHECK_FALSE(admits(ruling, "badexample.com", 443, "1.1.1.1"));
  CHECK_FALSE(admits(ruling, "a.example.com.evil.org", 443, "1.1.1.1"));
  CHECK(admits(ruling, "10.1.2.3", 8443, "10.1.2.3"));
  CHECK_FALSE(admits(ruling, "10.1.2.3", 443, "10.1.2.3"));
  CHECK(admits(ruling, "fd00::5", 80, "fd00::5"));
  CHECK(admits(ruling, "repo.corp", 8081, "192.168.1.1"));
  CHECK_FALSE(admits(ruling, "other.org", 443, "1.1.1.1"));
}

TEST_CASE("a listed name that stands for a metadata address stays closed; a listed address is meant") {
  CHECK_FALSE(admits(listing({"rebind.corp"}), "rebind.corp", 80, "169.254.169.254"));
  CHECK(admits(listing({"169.254.169.254"}), "169.254.169.254", 80, "169.254.169.254"));
}

TEST_CASE("loopback needs the very name, not a pattern") {
  CHECK(admits(listing({"localhost:8081"}), "localhost", 8081, "127.0.0.1"));
  CHECK_FALSE(admits(listing({"*.example.com:8081"}), "a.example.com", 8081, "127.0.0.1"));
}

TEST_CASE("an entry that cannot be read is named") {
  for (const char* entry :
       {"http://example.org", "a b", "*", "*.*.org", "x:0", "x:99999", "user@host", "", "a..b"}) {
    INFO(entry);
    const auto ruling = Ruling::read({.allowed_hosts = {entry}, .proxy = ""});
    REQUIRE_FALSE(ruling);
    CHECK(ruling.failure().message.find("SANDBOX_ALLOWED_HOSTS") != std::string::npos);
  }
}

TEST_CASE("only names and addresses are hosts") {
  for (const char* host :
       {"example.org", "EXAMPLE.org.", "xn--bcher-kva.example", "_srv.x", "127.1", "::1", "a"}) {
    INFO(host);
    CHECK(is_host(host));
  }
  for (const std::string& host :
       {std::string(""), std::string("."), std::string("a b"), std::string("a@b"), std::string("a\r\nb"),
        std::string("[::1]"), std::string("fe80::1%lo"), std::string("a..b"), std::string("a/b"),
        std::string(254, 'a'), std::string(64, 'a') + ".org", std::string("a\0b", 3)}) {
    INFO(host);
    CHECK_FALSE(is_host(host));
  }
}

TEST_CASE("a proxy's address gives its host, port and decoded credentials, and no failure repeats them") {
  const auto proxy = read_proxy("http://user:p%40ss@proxy.corp:3129/");
  REQUIRE(proxy);
  CHECK(proxy->host == "proxy.corp");
  CHECK(proxy->port == 3129);
  CHECK(proxy->credentials == "user:p@ss");
  CHECK(read_proxy("proxy.corp")->port == 3128);
  CHECK_FALSE(read_proxy("socks5://proxy.corp"));
  const auto ruling = Ruling::read({.allowed_hosts = {}, .proxy = "http://user:secret@bad host"});
  REQUIRE_FALSE(ruling);
  CHECK(ruling.failure().message.find("secret") == std::string::npos);
}
