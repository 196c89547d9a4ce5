#include "mcp/http_rules.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

using namespace codebox::mcp;

namespace {

std::string value(const Headers& headers, const std::string& name) {
  for (const auto& [key, held] : headers) {
    if (key == name) return held;
  }
  return "absent";
}

}  // namespace

TEST_CASE("a request without an origin comes from no page and is let through") {
  CHECK(origin_allowed("", "box.example", {}));
  CHECK(origin_allowed("", "", {}));
}

TEST_CASE("a page is let through if its origin is listed") {
  const std::vector<std::string> allowed = {"https://chat.example/", " http://other.example:8080 "};
  CHECK(origin_allowed("https://chat.example", "box.example", allowed));
  CHECK(origin_allowed("HTTPS://Chat.Example:443", "box.example", allowed));
  CHECK(origin_allowed("http://other.example:8080", "box.example", allowed));
  CHECK_FALSE(origin_allowed("http://chat.example", "box.example", allowed));
  CHECK_FALSE(origin_allowed("https://chat.example:444", "box.example", allowed));
  CHECK_FALSE(origin_allowed("https://chat.example.evil", "box.example", allowed));
  CHECK_FALSE(origin_allowed("null", "box.example", allowed));
  CHECK(origin_allowed("https://anything.example", "box.example", {"*"}));
}

TEST_CASE("a page whose host name is the server's is not trusted for that") {
  CHECK_FALSE(origin_allowed("http://evil.example", "evil.example", {}));
  CHECK_FALSE(origin_allowed("http://evil.example:8000", "evil.example:8000", {}));
  CHECK_FALSE(origin_allowed("http://localhost.evil.example", "localhost", {}));
}

TEST_CASE("a page on this machine may call a server on this machine") {
  CHECK(origin_allowed("http://localhost:6274", "localhost:8000", {}));
  CHECK(origin_allowed("http://127.0.0.1", "localhost:8000", {}));
  CHECK(origin_allowed("http://[::1]:3000", "[::1]:8000", {}));
  CHECK_FALSE(origin_allowed("http://localhost:6274", "evil.example", {}));
  CHECK_FALSE(origin_allowed("http://evil.example", "localhost:8000", {}));
}

TEST_CASE("a page from a bare address may call that same address") {
  CHECK(origin_allowed("http://10.0.0.5:8000", "10.0.0.5:8000", {}));
  CHECK(origin_allowed("http://10.0.0.5", "10.0.0.5:80", {}));
  CHECK(origin_allowed("http://[fd00::1]:8000", "[fd00::1]:8000", {}));
  CHECK_FALSE(origin_allowed("http://10.0.0.5:3000", "10.0.0.5:8000", {}));
  CHECK_FALSE(origin_allowed("http://10.0.0.6:8000", "10.0.0.5:8000", {}));
}

TEST_CASE("an origin that is none is refused") {
  for (const char* origin : {"null", "evil", "://", "http://", "file://"}) {
    CHECK_FALSE(origin_allowed(origin, "localhost", {}));
  }
}

TEST_CASE("a page is told whose answer it may read") {
  const Headers headers = cors_headers("https://chat.example");
  CHECK(value(headers, "Access-Control-Allow-Origin") == "https://chat.example");
  CHECK(value(headers, "Vary") == "Origin");
  CHECK(value(headers, "Access-Control-Expose-Headers").find("WWW-Authenticate") != std::string::npos);
  CHECK(cors_headers("").empty());
}

TEST_CASE("a preflight names every header of the protocol and the mirrored ones that were asked for") {
  const Headers headers = preflight_headers(
      "https://chat.example", "authorization, Mcp-Param-City, x-evil, mcp-param-a b, mcp-param-\r\nx");
  const std::string names = value(headers, "Access-Control-Allow-Headers");
  for (const char* name : {"Authorization", "Content-Type", "Accept", "MCP-Protocol-Version",
                           "Mcp-Session-Id", "Mcp-Method", "Mcp-Name", "Last-Event-ID", "mcp-param-city"}) {
    CHECK(names.find(name) != std::string::npos);
  }
  CHECK(names.find("evil") == std::string::npos);
  CHECK(names.find('\n') == std::string::npos);
  CHECK(names.find("a b") == std::string::npos);
  CHECK(value(headers, "Access-Control-Allow-Methods").find("POST") != std::string::npos);
  CHECK(std::string(allowed_methods) == "POST, OPTIONS");
}
