#include "base/random.hpp"

#include <unistd.h>

#include <exception>

#include "base/encoding.hpp"

namespace codebox {

std::string random_hex(std::size_t bytes) {
  std::string raw(bytes, '\0');
  // It fails only where more is asked for, or where the kernel has no such call.
  if (::getentropy(raw.data(), raw.size()) != 0) std::terminate();
  return encoding::to_hex(raw);
}

}  // namespace codebox
