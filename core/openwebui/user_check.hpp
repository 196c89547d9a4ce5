#pragma once
#include <map>
#include <memory>
#include <mutex>
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

 private:
  struct Answer {
    Time until;
    bool accepted = false;
  };

  UserCheck(std::unique_ptr<Client> client, const Clock& clock);
  Result<void> ask(const Caller& caller) const;
  void remember(const std::string& digest, bool accepted);

  const std::unique_ptr<Client> client_;
  const Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, Answer> answers_;
};

}  // namespace codebox::openwebui
