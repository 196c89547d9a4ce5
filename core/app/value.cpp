#include "app/value.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"

namespace codebox::app::value {
namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

bool has_only(std::string_view text, std::string_view signs) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return letters.find(c) != std::string_view::npos || signs.find(c) != std::string_view::npos;
  });
}

// What stands behind http:// or https://, or nothing.
std::string_view behind_scheme(std::string_view text) {
  const std::string lower = text::lower(text.substr(0, 8));
  if (lower.starts_with("http://")) return text.substr(7);
  if (lower == "https://") return text.substr(8);
  return {};
}

// "name", "name:8080", "[::1]:8080".
bool is_host(std::string_view text) {
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos || end < 3 || !has_only(text.substr(1, end - 1), ":.%")) return false;
    const std::string_view port = text.substr(end + 1);
    return port.empty() || (port.starts_with(':') && whole(std::string(port.substr(1)), 1, 65535));
  }
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (name.empty() || !has_only(name, "-._")) return false;
  return colon == std::string_view::npos || whole(std::string(text.substr(colon + 1)), 1, 65535);
}

}  // namespace

std::optional<double> number(const std::string& text, double lowest, double highest) {
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(out)) return std::nullopt;
  if (out < lowest || out > highest) return std::nullopt;
  return out;
}

std::optional<std::uint64_t> whole(const std::string& text, std::uint64_t lowest, std::uint64_t highest) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || out < lowest || out > highest)
    return std::nullopt;
  return out;
}

std::optional<std::uint64_t> bytes(const std::string& text) {
  const auto digits = text.find_first_not_of("0123456789.");
  const std::string unit = text::lower(text::trim(digits == std::string::npos ? "" : text.substr(digits)));
  const auto amount = number(text.substr(0, digits), 0, static_cast<double>(most_bytes));
  if (!amount) return std::nullopt;
  double factor = 1;
  if (unit == "k" || unit == "kb" || unit == "kib") {
    factor = 1024;
  } else if (unit == "m" || unit == "mb" || unit == "mib") {
    factor = 1024.0 * 1024;
  } else if (unit == "g" || unit == "gb" || unit == "gib") {
    factor = 1024.0 * 1024 * 1024;
  } else if (!unit.empty() && unit != "b") {
    return std::nullopt;
  }
  const double product = *amount * factor;
  if (product > static_cast<double>(most_bytes)) return std::nullopt;
  return static_cast<std::uint64_t>(product);
}

std::optional<bool> boolean(const std::string& text) {
  const std::string word = text::lower(text);
  if (word == "true" || word == "yes" || word == "on" || word == "1") return true;
  if (word == "false" || word == "no" || word == "off" || word == "0") return false;
  return std::nullopt;
}

std::vector<std::string> list(const std::string& text) {
  std::string plain = text;
  for (char& c : plain) {
    if (c == ',' || c == '\t' || c == '\n') c = ' ';
  }
  std::vector<std::string> out;
  for (std::string& item : text::split(plain, ' ')) {
    if (!item.empty()) out.push_back(std::move(item));
  }
  return out;
}

bool is_url(std::string_view text) {
  const std::string_view rest = behind_scheme(text);
  const auto path = rest.find('/');
  if (!is_host(rest.substr(0, path))) return false;
  return path == std::string_view::npos || has_only(rest.substr(path), "/-._~!$&'()*+,;=:@%");
}

bool is_origin(std::string_view text) {
  if (text == "*") return true;
  // Browsers' extensions and programs made of web pages have schemes of their own.
  const auto scheme = text.find("://");
  if (scheme == std::string_view::npos || scheme == 0 || !has_only(text.substr(0, scheme), "+-."))
    return false;
  std::string_view host = text.substr(scheme + 3);
  if (host.ends_with('/')) host.remove_suffix(1);
  return is_host(host);
}

bool is_host_pattern(std::string_view text) {
  if (text.starts_with("*.")) text.remove_prefix(2);
  return is_host(text) && !text.starts_with('[');
}

}  // namespace codebox::app::value
