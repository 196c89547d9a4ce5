#include "plugin/plain_json.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace codebox::plugin {
namespace {

constexpr int max_depth = 32;

struct TooDeep {};

}  // namespace

std::optional<nlohmann::json> read_plain(std::string_view text) {
  if (!text::is_utf8(text)) return std::nullopt;
  const auto watch = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    if (depth > max_depth) throw TooDeep();
    return true;
  };
  try {
    auto value = nlohmann::json::parse(text, watch, false);
    if (value.is_discarded()) return std::nullopt;
    return value;
  } catch (const TooDeep&) {
    return std::nullopt;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // a number out of range, which is no matter of syntax
  }
}

}  // namespace codebox::plugin
