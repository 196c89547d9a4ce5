#pragma once
#include <chrono>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"

/// Reads the two JSON parts of a token, strictly: an object, no member named twice. Pure; any thread.
namespace codebox::auth {

/// Accepts a header that names `algorithm` and demands nothing that we do not understand.
Result<void> check_header(const std::string& json, const std::string& algorithm);

/// The user's id from a payload whose signature is proven, if it is in force at `now`.
Result<std::string> user_id(const std::string& json, WallTime now, std::chrono::seconds leeway);

/// Whether `id` can name a user: text of 1 to 256 bytes without control characters.
bool is_user_id(const std::string& id);

}  // namespace codebox::auth
