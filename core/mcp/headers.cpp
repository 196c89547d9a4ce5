#include "mcp/headers.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/encoding.hpp"
#include "base/text.hpp"

namespace codebox::mcp {
namespace {

constexpr std::string_view wrap_prefix = "=?base64?";
constexpr std::string_view wrap_suffix = "?=";

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
    if (key.size() == low.size() && text::lower(key) == low) found.emplace_back(text::trim(value));
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

bool names_events(const Headers& headers) {
  const auto items = accept_items(headers);
  return std::any_of(items.begin(), items.end(),
                     [](const Item& item) { return item.wanted && item.type == "text/event-stream"; });
}

std::optional<std::string> unwrapped(const std::string& value) {
  const std::string_view view = value;
  if (view.size() < wrap_prefix.size() + wrap_suffix.size()) return value;
  if (view.substr(0, wrap_prefix.size()) != wrap_prefix) return value;
  if (view.substr(view.size() - wrap_suffix.size()) != wrap_suffix) return value;
  auto inner = encoding::from_base64(
      view.substr(wrap_prefix.size(), view.size() - wrap_prefix.size() - wrap_suffix.size()));
  if (!inner || !text::is_utf8(*inner)) return std::nullopt;
  return inner;
}

}  // namespace codebox::mcp
