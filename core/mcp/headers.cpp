#include "mcp/headers.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "base/text.hpp"

namespace codebox::mcp {
namespace {

constexpr std::string_view wrap_prefix = "=?base64?";
constexpr std::string_view wrap_suffix = "?=";

int sextet(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

// Padding is demanded and unused bits must be zero, so that each text has exactly one encoding.
std::optional<std::string> base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  text.remove_suffix(padding);
  std::string out;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    const int value = sextet(c);
    if (value < 0) return std::nullopt;
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>((bits >> held) & 0xFFU);
  }
  if ((bits & ((1U << held) - 1U)) != 0) return std::nullopt;
  return out;
}

/// One item of Accept: a type or a range, and whether its quality is above zero.
struct Item {
  std::string type;
  bool wanted = true;
};

std::vector<Item> accept_items(const Headers& headers) {
  std::vector<Item> items;
  for (const auto& value : values(headers, "Accept")) {
    for (const auto& part : text::split(value, ',')) {
      const auto pieces = text::split(part, ';');
      Item item{text::lower(text::trim(pieces[0])), true};
      if (item.type.empty()) continue;
      for (std::size_t i = 1; i < pieces.size(); ++i) {
        const std::string piece = text::lower(text::trim(pieces[i]));
        if (piece.rfind("q=", 0) != 0) continue;
        char* end = nullptr;
        const double quality = std::strtod(piece.c_str() + 2, &end);
        item.wanted = end == piece.c_str() + 2 || quality > 0;
      }
      items.push_back(std::move(item));
    }
  }
  return items;
}

bool wanted(const std::vector<Item>& items, const std::array<std::string_view, 3>& names) {
  for (const auto name : names) {
    for (const auto& item : items) {
      if (item.type == name) return item.wanted;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> values(const Headers& headers, std::string_view name) {
  std::vector<std::string> found;
  const std::string low = text::lower(name);
  for (const auto& [key, value] : headers) {
    if (text::lower(key) == low) found.emplace_back(text::trim(value));
  }
  return found;
}

bool declares_json(const Headers& headers) {
  const auto types = values(headers, "Content-Type");
  if (types.size() != 1) return false;
  return text::lower(text::trim(text::split(types[0], ';')[0])) == "application/json";
}

Form accepted_form(const Headers& headers) {
  const auto items = accept_items(headers);
  if (items.empty() || wanted(items, {"application/json", "application/*", "*/*"})) return Form::json;
  if (wanted(items, {"text/event-stream", "text/*", "*/*"})) return Form::events;
  return Form::none;
}

std::optional<std::string> unwrapped(const std::string& value) {
  const std::string_view view = value;
  if (view.size() < wrap_prefix.size() + wrap_suffix.size()) return value;
  if (view.substr(0, wrap_prefix.size()) != wrap_prefix) return value;
  if (view.substr(view.size() - wrap_suffix.size()) != wrap_suffix) return value;
  auto inner = base64(view.substr(wrap_prefix.size(), view.size() - wrap_prefix.size() - wrap_suffix.size()));
  if (!inner || !text::is_utf8(*inner)) return std::nullopt;
  return inner;
}

}  // namespace codebox::mcp
