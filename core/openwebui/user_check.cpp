#include "openwebui/user_check.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "openwebui/client.hpp"

namespace codebox::openwebui {
namespace {

using namespace std::chrono_literals;

constexpr auto keep_accepted = 60s;
constexpr auto keep_refused = 10s;
constexpr auto patience = 10s;
constexpr std::size_t most_answers = 4096;

std::string digest_of(const std::string& token) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_Digest(token.data(), token.size(), digest.data(), &length, EVP_sha256(), nullptr);
  return {digest.begin(), digest.begin() + length};
}

Failure refused() {
  return {Reason::unauthorized,
          "Open WebUI does not accept this person's sign-in: sign in again, or ask an administrator to "
          "activate the "
          "account."};
}

}  // namespace

UserCheck::UserCheck(std::unique_ptr<Client> client, const Clock& clock)
    : client_(std::move(client)), clock_(clock) {}
UserCheck::~UserCheck() = default;

Result<std::unique_ptr<UserCheck>> UserCheck::make(const Options& options, const Clock& clock) {
  auto client = Client::make(options);
  if (!client) return client.failure();
  return std::unique_ptr<UserCheck>(new UserCheck(std::move(*client), clock));
}

Result<void> UserCheck::check(const Caller& caller) {
  const std::string digest = digest_of(caller.token);
  {
    const std::lock_guard lock(mutex_);
    const auto known = answers_.find(digest);
    if (known != answers_.end() && clock_.now() < known->second.until) {
      return known->second.accepted ? Result<void>() : refused();
    }
  }
  auto answer = ask(caller);
  if (answer || answer.failure().reason == Reason::unauthorized) remember(digest, answer.ok());
  return answer;
}

Result<void> UserCheck::ask(const Caller& caller) const {
  const auto reply = client_->exchange({.path = "/api/v1/files/user/count", .token = caller.token},
                                       std::chrono::steady_clock::now() + patience, {});
  if (!reply) {
    return Failure{Reason::offline, "Whether this person may still use Open WebUI could not be asked. " +
                                        reply.failure().message};
  }
  if (reply->status == 200) return {};
  if (reply->status == 401 || reply->status == 403) return refused();
  return Failure{Reason::offline, "Open WebUI answered with HTTP status " + std::to_string(reply->status) +
                                      " when asked whether it knows this person: it may be too old for "
                                      "OWUI_CHECK_USER=true; the operator may turn that off."};
}

void UserCheck::remember(const std::string& digest, bool accepted) {
  const std::lock_guard lock(mutex_);
  const Time now = clock_.now();
  if (answers_.size() >= most_answers) {
    std::erase_if(answers_, [&](const auto& entry) { return entry.second.until <= now; });
    if (answers_.size() >= most_answers) answers_.clear();
  }
  answers_[digest] = {now + (accepted ? keep_accepted : keep_refused), accepted};
}

}  // namespace codebox::openwebui
