#pragma once
#include <memory>
#include <string>

#include "auth/bearer.hpp"

namespace codebox::auth {

/// One key with the one algorithm it may be used for. Any thread, concurrently.
class Key {
 public:
  virtual ~Key() = default;
  /// Whether `signature` (raw bytes) was made over `signed_part` (header.payload) with this key. `token` is
  /// the whole.
  virtual bool verifies(const std::string& signed_part, const std::string& signature,
                        const std::string& token) const = 0;
  /// A whole token over the claims `user`, `issued` and `expires` (seconds); only a shared secret can sign.
  virtual Result<std::string> sign(const std::string& user, long long issued, long long expires) const = 0;
};

/// Fails as make_bearer does.
Result<std::unique_ptr<Key>> make_key(const std::string& algorithm, const std::string& secret);

}  // namespace codebox::auth
