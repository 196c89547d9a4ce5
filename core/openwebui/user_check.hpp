#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string>

#include "base/caller.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "openwebui/options.hpp"

namespace codebox::openwebui {

class Client;

/// Asks Open WebUI whether it still accepts a token: a signature says nothing of an account that was
/// deactivated since. Answers are remembered by the token's digest, a yes for 60 s, a no for 10 s. Owned by
/// app; any thread.
class UserCheck {
 public:
  static Result<std::unique_ptr<UserCheck>> make(const Options& options, const Clock& clock);
  ~UserCheck();

  /// Success, or unauthorized, or offline (not remembered) where Open WebUI does not answer.
  Result<void> check(const Caller& caller);

  /// The id of the person to whom an API key ("sk-...") belongs, as Open WebUI says it to the holder of that
  /// key; it cannot be forged. Remembered and failing as check().
  Result<std::string> owner(const std::string& key);

 private:
  struct Answer {
    Time until;
    Result<std::string> user;  ///< the id of an API key's owner, empty for other tokens; or why it is refused
  };

  UserCheck(std::unique_ptr<Client> client, const Clock& clock);
  Result<void> ask(const Caller& caller) const;
  std::optional<Result<std::string>> remembered(const std::string& digest);
  Result<std::string> ask_owner(const std::string& key) const;
  void remember(const std::string& digest, Result<std::string> user);

  const std::unique_ptr<Client> client_;
  const Clock& clock_;
  /// Anybody can make up keys, unlike tokens: so only a few are asked about at a time.
  std::counting_semaphore<8> asking_{8};
  std::mutex mutex_;
  std::map<std::string, Answer> answers_;
};

}  // namespace codebox::openwebui
