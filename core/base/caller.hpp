#pragma once
#include <string>

namespace codebox {

/// The person on whose behalf a call runs, as the bearer token proves. Plain value.
struct Caller {
  std::string user;   ///< the user's id; the key of quotas, never empty once authenticated
  std::string token;  ///< the bearer token as it came; goes to Open WebUI alone, never to a log or a sandbox
  std::string chat;   ///< chat id from the request's headers, or empty; a hint, never proof of anything
  std::string message;  ///< message id, likewise
  bool inline_pictures = true;  ///< pictures may stand in the result itself, beside being files
};

}  // namespace codebox
