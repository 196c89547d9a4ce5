#include "openwebui/embed.hpp"

#include <Poco/Base64Decoder.h>
#include <Poco/InflatingStream.h>
#include <Poco/StreamCopier.h>

#include <catch2/catch_test_macros.hpp>
#include <sstream>

using namespace codebox::openwebui;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a page in a chat reaches nothing outside of itself, and says its height") {
  const std::string embed = embed_of("<p>hello</p>\xFF", {});
  CHECK(embed.starts_with(
      "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\""));
  CHECK(has(embed, "default-src 'none'"));
  CHECK_FALSE(has(embed, "https://"));
  CHECK(has(embed, "<p>hello</p>\xEF\xBF\xBD"));
  CHECK(has(embed, "iframe:height"));
}

TEST_CASE("the operator's hosts are allowed, and nothing else can stand in their place") {
  const std::string embed = embed_of("", {"cdn.example", "*.tile.example", "x; script-src *", "\"><b>", ""});
  CHECK(has(embed, "img-src data: blob: https://cdn.example https://*.tile.example;"));
  CHECK_FALSE(has(embed, "script-src *"));
  CHECK_FALSE(has(embed, "<b>"));
}

TEST_CASE("a large page is packed, and unpacks to itself under the same policy") {
  std::string page = "<p>start</p>";
  for (int i = 0; i < 100'000; ++i) page += "some script; ";
  const std::string embed = embed_of(page, {});
  CHECK(embed.size() < page.size() / 10);
  CHECK(has(embed, "default-src 'none'"));
  const auto from = embed.find("atob(\"") + 6;
  std::istringstream in(embed.substr(from, embed.find('"', from) - from));
  Poco::Base64Decoder bytes(in);
  Poco::InflatingInputStream plain(bytes, Poco::InflatingStreamBuf::STREAM_GZIP);
  std::string out;
  Poco::StreamCopier::copyToString(plain, out);
  CHECK(has(out, "default-src 'none'"));
  CHECK(has(out, page));
}

TEST_CASE("the hosts that a page needs are named unless they are allowed") {
  const std::string map =
      "<script src=\"https://cdn.jsdelivr.net/npm/leaflet.js\"></script>"
      "<script>\n x = 'https://example.org/only-text'\n</script>"
      "<link rel=stylesheet href='//Styles.example.net/a.css'><a href=\"https://elsewhere.example\">x</a>"
      "<script>L.tileLayer(\"https://{s}.tile.example.com/{z}/{x}/{y}.png\")</script>";
  using Hosts = std::vector<std::string>;
  CHECK(outside_hosts(map, {}) == Hosts{"cdn.jsdelivr.net", "styles.example.net", "*.tile.example.com"});
  CHECK(outside_hosts(map, {"*.example.net", "*.tile.example.com"}) == Hosts{"cdn.jsdelivr.net"});
  CHECK(outside_hosts(map, {"cdn.jsdelivr.net", "styles.example.net", "*.example.com"}).empty());
}

TEST_CASE("a page that brings its scripts needs no host, whatever stands in them") {
  CHECK(outside_hosts("<script>t = \"https://tiles.example/{z}/a\"</script>", {}).empty());
  CHECK(outside_hosts("<script src=\"data:text/javascript,1\"></script>", {}).empty());
  CHECK(outside_hosts("<script src=\"https://", {}).empty());
  CHECK(outside_hosts("<script src=", {}).empty());
  CHECK(outside_hosts("{z}", {}).empty());
}
