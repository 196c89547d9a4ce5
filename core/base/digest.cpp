#include "base/digest.hpp"

#include <openssl/evp.h>

#include <array>
#include <span>

#include "base/encoding.hpp"

namespace codebox {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  return encoding::to_hex(std::span(digest).first(size));
}

}  // namespace codebox
