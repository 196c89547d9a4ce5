#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace codebox::auth {

/// The bytes of unpadded base64url text; nothing for another alphabet, padding, or unused bits that are not
/// zero. Pure; any thread.
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace codebox::auth
