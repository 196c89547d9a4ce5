#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

namespace codebox::plugin {

/// JSON that a plugin gave: well-formed UTF-8, nested 32 levels deep at most; nothing where it is not. Pure;
/// any thread.
std::optional<nlohmann::json> read_plain(std::string_view text);

}  // namespace codebox::plugin
