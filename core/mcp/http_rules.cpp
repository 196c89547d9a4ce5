#include "mcp/http_rules.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace codebox::mcp {
namespace {

bool strip(std::string& text, std::string_view suffix) {
  if (text.size() < suffix.size() || text.compare(text.size() - suffix.size(), suffix.size(), suffix) != 0) {
    return false;
  }
  text.resize(text.size() - suffix.size());
  return true;
}

// An origin in lower case, without the slash people add and the port that its scheme has anyway.
std::string plain_origin(std::string_view text) {
  std::string out = text::lower(text::trim(text));
  strip(out, "/");
  if (out.rfind("http://", 0) == 0) strip(out, ":80");
  if (out.rfind("https://", 0) == 0) strip(out, ":443");
  return out;
}

std::string without_port(const std::string& authority) {
  const auto colon = authority.rfind(':');
  const auto bracket = authority.rfind(']');
  if (colon == std::string::npos || (bracket != std::string::npos && colon < bracket)) return authority;
  return authority.substr(0, colon);
}

bool is_loopback(const std::string& name) {
  constexpr std::array<std::string_view, 3> names = {"localhost", "127.0.0.1", "[::1]"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_address(const std::string& name) {
  if (name.size() > 2 && name.front() == '[' && name.back() == ']') return true;
  return !name.empty() && name.find_first_not_of("0123456789.") == std::string::npos;
}

bool is_name(const std::string& header) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  return !header.empty() && header.size() <= 128 && header.find_first_not_of(letters) == std::string::npos;
}

}  // namespace

const std::vector<std::string>& cors_request_headers() {
  static const std::vector<std::string> names = {
      "Authorization",  "Content-Type", "Accept",   "MCP-Protocol-Version",
      "Mcp-Session-Id", "Mcp-Method",   "Mcp-Name", "Last-Event-ID"};
  return names;
}

bool origin_allowed(const std::string& origin, const std::string& host,
                    const std::vector<std::string>& allowed) {
  const std::string page = plain_origin(origin);
  if (page.empty()) return true;
  for (const auto& one : allowed) {
    if (text::trim(one) == "*" || plain_origin(one) == page) return true;
  }
  const auto scheme = page.find("://");
  if (scheme == std::string::npos) return false;
  const std::string page_name = without_port(page.substr(scheme + 3));
  const std::string server = text::lower(text::trim(host));
  if (is_loopback(page_name)) return is_loopback(without_port(server));
  return is_address(page_name) && plain_origin(page.substr(0, scheme + 3) + server) == page;
}

Headers cors_headers(const std::string& origin) {
  if (text::trim(origin).empty()) return {};
  return {{"Access-Control-Allow-Origin", std::string(text::trim(origin))},
          {"Access-Control-Expose-Headers", cors_exposed_headers},
          {"Vary", "Origin"}};
}

Headers preflight_headers(const std::string& origin, const std::string& requested) {
  Headers headers = cors_headers(origin);
  std::string names = text::join(cors_request_headers(), ", ");
  for (const auto& part : text::split(requested, ',')) {
    const std::string name = text::lower(text::trim(part));
    if (is_name(name) && name.rfind("mcp-param-", 0) == 0) names += ", " + name;
  }
  headers.emplace_back("Access-Control-Allow-Methods", cors_methods);
  headers.emplace_back("Access-Control-Allow-Headers", names);
  headers.emplace_back("Access-Control-Max-Age", "600");
  return headers;
}

}  // namespace codebox::mcp
