#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "base/result.hpp"

/// Reads JSON that a stranger sent. Pure; any thread.
namespace codebox::mcp {

/// The value, or why the text is refused: no JSON, no UTF-8, deeper than 64, more than 250000 values, or an
/// object that names a member twice (two readers would see two different requests).
Result<nlohmann::json> read_json(const std::string& text);

/// The id of a JSON-RPC message as JSON text; nothing where `id` is no request id (a string or an integer).
std::optional<std::string> id_text(const nlohmann::json& id);

}  // namespace codebox::mcp
