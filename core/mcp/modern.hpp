#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "mcp/endpoint.hpp"
#include "mcp/protocol.hpp"

namespace codebox::mcp {

/// Checks a request of the era without a handshake before its method is looked at: `_meta`, the routing
/// headers against the body, the version. Gives the refusal, or nothing. `params` is an object or null. Any
/// thread.
std::optional<Reply> refuse_modern(const Headers& headers, const std::string& method,
                                   const nlohmann::json& params, const Tools& tools);

/// "this version is not spoken here", with the versions that are.
Reply unsupported_version(const std::string& requested);

}  // namespace codebox::mcp
