#include "auth/bearer.hpp"

#include <utility>

#include "auth/claims.hpp"
#include "auth/key.hpp"
#include "base/encoding.hpp"
#include "base/text.hpp"

namespace codebox::auth {
namespace {

constexpr std::size_t max_token = 8192;

Failure refused(std::string message) {
  return Failure{Reason::unauthorized, std::move(message)};
}

// The token in the header's value; the scheme is compared without case (RFC 9110).
Result<std::string> token_of(const std::string& authorization) {
  const std::string value(text::trim(authorization));
  const auto space = value.find(' ');
  const std::string scheme = text::lower(value.substr(0, space));
  if (value.empty() || (scheme == "bearer" && space == std::string::npos)) {
    return refused("No bearer token came: in Open WebUI set the connection's authentication to Session.");
  }
  if (scheme != "bearer") {
    return refused(
        "The Authorization header does not begin with Bearer: in Open WebUI set the connection's "
        "authentication to Session.");
  }
  return std::string(text::trim(std::string_view(value).substr(space)));
}

/// Accepts tokens of one key. Immutable after its making.
class JwtBearer : public Bearer {
 public:
  JwtBearer(Options options, std::unique_ptr<Key> key, const Clock& clock)
      : algorithm_(std::move(options.algorithm)),
        leeway_(options.leeway),
        key_(std::move(key)),
        clock_(clock) {}

  Result<User> user(const std::string& authorization) const override {
    const auto token = token_of(authorization);
    if (!token) return token.failure();
    if (token->rfind("sk-", 0) == 0) {
      return refused(
          "This is an API key of Open WebUI, which names no user here: set the connection's authentication "
          "to Session, or let the operator set OWUI_BASE_URL and OWUI_CHECK_USER=true.");
    }
    if (token->size() > max_token) {
      return refused("The token is " + std::to_string(token->size()) + " bytes long: the most is 8192.");
    }
    const auto parts = text::split(*token, '.');
    if (parts.size() != 3) {
      return refused(
          "The bearer token is a fixed key and no person's token (a JWT of three parts): in Open WebUI set "
          "the connection's authentication to Session instead of Bearer.");
    }
    const auto header = encoding::from_base64url(parts[0]);
    const auto payload = encoding::from_base64url(parts[1]);
    const auto signature = encoding::from_base64url(parts[2]);
    if (!header || !payload || !signature)
      return refused("The token is damaged: a part of it is no base64url text.");
    if (const auto known = check_header(*header, algorithm_); !known) return known.failure();
    if (!key_->verifies(parts[0] + '.' + parts[1], *signature, *token)) {
      return refused(
          "The token was not signed with JWT_SECRET: it must equal Open WebUI's WEBUI_SECRET_KEY.");
    }
    auto id = user_id(*payload, clock_.wall(), leeway_);
    if (!id) return id.failure();
    return User{std::move(*id)};
  }

  Result<std::string> issue(const std::string& user, WallTime expires) const override {
    if (!is_user_id(user)) {
      return Failure{Reason::invalid, "The user " + text::quoted(user, 40) +
                                          " is no id: use 1 to 256 bytes without control characters."};
    }
    const auto seconds = [](WallTime time) {
      return static_cast<long long>(
          std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count());
    };
    return key_->sign(user, seconds(clock_.wall()), seconds(expires));
  }

 private:
  const std::string algorithm_;
  const std::chrono::seconds leeway_;
  const std::unique_ptr<Key> key_;
  const Clock& clock_;
};

}  // namespace

std::string api_key(const std::string& authorization) {
  auto token = token_of(authorization);
  return token && token->starts_with("sk-") ? std::move(*token) : std::string();
}

Result<std::unique_ptr<Bearer>> make_bearer(const Options& options, const Clock& clock) {
  auto key = make_key(options.algorithm, options.secret);
  if (!key) return key.failure();
  return std::unique_ptr<Bearer>(std::make_unique<JwtBearer>(options, std::move(*key), clock));
}

}  // namespace codebox::auth
