#pragma once
#include <string>
#include <string_view>

namespace codebox::engine {

/// The SHA-256 of bytes, in hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace codebox::engine
