#include "app/value.hpp"

#include <charconv>
#include <cmath>

#include "base/text.hpp"

namespace codebox::app::value {

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
  const auto amount = number(text.substr(0, digits), 0, 1e15);
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
  if (product > 1e15) return std::nullopt;
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

}  // namespace codebox::app::value
