#pragma once
#include <string>
#include <string_view>

namespace codebox {

/// SHA-256 of some bytes: 32 bytes. Pure; any thread.
std::string sha256(std::string_view bytes);

}  // namespace codebox
