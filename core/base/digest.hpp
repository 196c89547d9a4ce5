#pragma once
#include <string>
#include <string_view>

namespace codebox {

/// The SHA-256 of bytes, as 64 lower-case hexadecimal digits. Pure; any thread.
std::string sha256(std::string_view bytes);

}  // namespace codebox
