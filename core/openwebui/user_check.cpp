#include "openwebui/user_check.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/digest.hpp"
#include "base/text.hpp"
#include "openwebui/client.hpp"

namespace codebox::openwebui {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr auto keep_accepted = 60s;
constexpr auto keep_refused = 10s;
constexpr auto patience = 10s;
constexpr std::size_t most_answers = 4096;
constexpr std::size_t longest_key = 256;
constexpr std::size_t longest_id = 256;

// Keys go into a header and come from outside.
bool is_key(const std::string& key) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  return key.size() <= longest_key && key.find_first_not_of(plain) == std::string::npos;
}

// The member `name` of an answer, or of its first item where it is a list; empty unless it can be an id.
std::string text_at(const std::string& body, const char* name) {
  const json answer = json::parse(body, nullptr, false);
  const json& item = answer.is_array() && !answer.empty() ? answer.front() : answer;
  if (!item.is_object() || !item.contains(name) || !item.at(name).is_string()) return "";
  std::string id = item.at(name).get<std::string>();
  return id.size() <= longest_id && text::one_line(id) == id ? id : "";
}

Failure not_accepted() {
  return {Reason::unauthorized,
          "Open WebUI does not accept this API key: make a new one, and let the operator allow API keys "
          "(ENABLE_API_KEYS) at /api/v1/users and /api/v1/files."};
}

Failure unasked(const Failure& why) {
  return {Reason::offline, "Whether this person may still use Open WebUI could not be asked. " + why.message};
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
  const std::string digest = sha256(caller.token);
  if (const auto known = remembered(digest)) return *known ? Result<void>() : known->failure();
  auto answer = ask(caller);
  if (answer) remember(digest, std::string());
  if (!answer && answer.failure().reason == Reason::unauthorized) remember(digest, answer.failure());
  return answer;
}

Result<std::string> UserCheck::owner(const std::string& key) {
  if (!is_key(key)) return not_accepted();
  const std::string digest = sha256(key);
  if (auto known = remembered(digest)) return *known;
  if (!asking_.try_acquire()) {
    return Failure{Reason::offline, "Open WebUI is being asked about many API keys already: try again."};
  }
  auto answer = ask_owner(key);
  asking_.release();
  if (answer || answer.failure().reason == Reason::unauthorized) remember(digest, answer);
  return answer;
}

std::optional<Result<std::string>> UserCheck::remembered(const std::string& digest) {
  const std::lock_guard lock(mutex_);
  const auto known = answers_.find(digest);
  if (known == answers_.end() || clock_.now() >= known->second.until) return std::nullopt;
  return known->second.user;
}

// The first endpoint gives the account itself, and only where user status is turned on; the second gives the
// key holder's own files, of which one is enough.
Result<std::string> UserCheck::ask_owner(const std::string& key) const {
  const auto ask_at = [&](const char* path) {
    return client_->exchange({.path = path, .token = key}, std::chrono::steady_clock::now() + patience, {});
  };
  auto reply = ask_at("/api/v1/users/user/status");
  if (!reply) return unasked(reply.failure());
  if (reply->status == 401) return not_accepted();
  std::string id = reply->status == 200 ? text_at(reply->body, "id") : "";
  if (id.empty()) {
    reply = ask_at("/api/v1/files/user/search?content=false&limit=1");
    if (!reply) return unasked(reply.failure());
    if (reply->status == 401 || reply->status == 403) return not_accepted();
    id = reply->status == 200 ? text_at(reply->body, "user_id") : "";
  }
  if (!id.empty()) return id;
  return Failure{Reason::unauthorized,
                 "Open WebUI does not say whose API key this is: the operator should turn on its user status "
                 "(ENABLE_USER_STATUS), or use a connection whose authentication is set to Session."};
}

Result<void> UserCheck::ask(const Caller& caller) const {
  const auto reply = client_->exchange({.path = "/api/v1/files/user/count", .token = caller.token},
                                       std::chrono::steady_clock::now() + patience, {});
  if (!reply) return unasked(reply.failure());
  if (reply->status == 200) return {};
  if (reply->status == 401 || reply->status == 403) return refused();
  return Failure{Reason::offline, "Open WebUI answered with HTTP status " + std::to_string(reply->status) +
                                      " when asked whether it knows this person: it may be too old for "
                                      "OWUI_CHECK_USER=true; the operator may turn that off."};
}

void UserCheck::remember(const std::string& digest, Result<std::string> user) {
  const std::lock_guard lock(mutex_);
  const Time now = clock_.now();
  if (answers_.size() >= most_answers) {
    std::erase_if(answers_, [&](const auto& entry) { return entry.second.until <= now; });
    if (answers_.size() >= most_answers) answers_.clear();
  }
  const Time until = now + (user ? keep_accepted : keep_refused);
  answers_.insert_or_assign(digest, Answer{until, std::move(user)});
}

}  // namespace codebox::openwebui
