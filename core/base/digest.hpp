#pragma once
#include <string>
#include <string_view>

namespace codebox {

/// The SHA-256 of bytes, in hexadecimal digits. Pure; any thread.
std::string sha256(std::string_view bytes);

}  // namespace codebox
