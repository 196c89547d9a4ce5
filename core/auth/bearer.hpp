#pragma once
#include <chrono>
#include <memory>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace codebox::auth {

/// How tokens are checked, from the operator's settings. Plain value.
struct Options {
  std::string secret;               ///< JWT_SECRET: 16 bytes and more, or a PEM public key for RS256, ES256
  std::string algorithm = "HS256";  ///< HS256, HS384, HS512, RS256 or ES256; the only one accepted
  std::chrono::seconds leeway{30};  ///< JWT_LEEWAY: by which clocks may differ
};

/// Who a token stands for. Plain value.
struct User {
  std::string id;  ///< 1 to 256 bytes without control characters
};

/// Tells who holds a bearer token. Any thread.
class Bearer {
 public:
  virtual ~Bearer() = default;
  /// `authorization` is the header's value. Every refusal is Reason::unauthorized with a sentence for the
  /// operator.
  virtual Result<User> user(const std::string& authorization) const = 0;
  /// A token for `user` that this server accepts until `expires`; only for HS algorithms.
  virtual Result<std::string> issue(const std::string& user, WallTime expires) const = 0;
};

/// The API key of Open WebUI ("sk-...") that an Authorization header carries instead of a token, or empty.
std::string api_key(const std::string& authorization);

/// Fails with Reason::invalid when the secret is empty, too short for the algorithm or no PEM key, or the
/// algorithm is not one of the five.
Result<std::unique_ptr<Bearer>> make_bearer(const Options& options, const Clock& clock);

}  // namespace codebox::auth
