#include "agent/request.hpp"

#include <algorithm>
#include <charconv>

namespace codebox::agent {
namespace {

bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

// "host", "host:port", "[v6]:port"; false when it is none of them.
bool split_authority(std::string_view authority, std::uint16_t standard, ProxyRequest& request) {
  std::string_view port;
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    if (end == std::string_view::npos) return false;
    request.host = authority.substr(1, end - 1);
    port = authority.substr(end + 1);
    if (!port.empty() && port.front() != ':') return false;
    if (!port.empty()) port.remove_prefix(1);
  } else {
    const auto colon = authority.find(':');
    request.host = authority.substr(0, colon);
    if (colon != std::string_view::npos) port = authority.substr(colon + 1);
  }
  request.port = standard;
  if (!port.empty()) {
    const auto read = std::from_chars(port.data(), port.data() + port.size(), request.port);
    if (read.ec != std::errc() || read.ptr != port.data() + port.size()) return false;
  }
  const auto odd = [](char c) {
    return c <= ' ' || c == '/' || c == '@' || static_cast<unsigned char>(c) >= 0x7F;
  };
  return !request.host.empty() && request.host.size() <= 253 && request.port != 0 &&
         std::none_of(request.host.begin(), request.host.end(), odd);
}

ProxyRequest failed(std::string_view why) {
  ProxyRequest request;
  request.error = why;
  return request;
}

}  // namespace

ProxyRequest read_request(std::string_view head) {
  const auto line_end = head.find("\r\n");
  const auto line = head.substr(0, line_end);
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (line_end == std::string_view::npos || first == std::string_view::npos || last <= first + 1 ||
      !line.substr(last + 1).starts_with("HTTP/1.")) {
    return failed("this is no HTTP/1 request");
  }
  const auto method = line.substr(0, first);
  auto target = line.substr(first + 1, last - first - 1);
  ProxyRequest request;
  if (method == "CONNECT") {
    request.connect = true;
    if (!split_authority(target, 443, request)) return failed("CONNECT needs host:port");
    return request;
  }
  constexpr std::string_view scheme = "http://";
  if (target.size() <= scheme.size() || !same(target.substr(0, scheme.size()), scheme)) {
    return failed("this proxy takes CONNECT and http:// URLs");
  }
  target.remove_prefix(scheme.size());
  const auto slash = target.find_first_of("/?#");
  auto authority = target.substr(0, slash);
  const auto at = authority.rfind('@');
  if (at != std::string_view::npos) authority.remove_prefix(at + 1);
  if (!split_authority(authority, 80, request)) return failed("the URL has no usable host");
  std::string path(slash == std::string_view::npos ? std::string_view() : target.substr(slash));
  if (path.empty() || path.front() != '/') path.insert(path.begin(), '/');
  request.head.append(method).append(" ").append(path).append(" HTTP/1.1\r\n");
  auto rest = head.substr(line_end + 2);
  while (!rest.empty()) {
    const auto end = rest.find("\r\n");
    if (end == std::string_view::npos || end == 0) break;
    const auto field = rest.substr(0, end);
    rest.remove_prefix(end + 2);
    const auto name = field.substr(0, field.find(':'));
    const bool hop = same(name, "proxy-connection") || same(name, "proxy-authorization") ||
                     same(name, "connection") || same(name, "keep-alive");
    if (!hop) request.head.append(field).append("\r\n");
  }
  request.head += "Connection: close\r\n\r\n";
  return request;
}

}  // namespace codebox::agent
