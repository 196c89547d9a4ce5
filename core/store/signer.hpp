#pragma once
#include <array>
#include <filesystem>
#include <string>

#include "base/result.hpp"

namespace codebox::store {

/// Signs text with a key that lies in a file only the server may read. Immutable; any thread.
class Signer {
 public:
  /// Reads the 32 bytes of `file`, or makes them on first use.
  static Result<Signer> with_key(const std::filesystem::path& file);

  std::string sign(const std::string& text) const;  ///< HMAC-SHA256 in lower-case hex
  bool is_signed(const std::string& text, const std::string& signature) const;  ///< in constant time

 private:
  using Key = std::array<unsigned char, 32>;
  explicit Signer(const Key& key) : key_(key) {}
  Key key_;
};

/// A random UUID, version 4.
std::string random_uuid();

}  // namespace codebox::store
