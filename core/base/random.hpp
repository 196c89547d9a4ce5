#pragma once
#include <cstddef>
#include <string>

namespace codebox {

/// That many of the kernel's random bytes, at most 256, in hexadecimal digits. Any thread.
std::string random_hex(std::size_t bytes);

}  // namespace codebox
