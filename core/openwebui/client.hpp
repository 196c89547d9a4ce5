#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "openwebui/options.hpp"

namespace codebox::openwebui {

/// One request to Open WebUI. Plain value; `path` is ours, with everything from outside percent-encoded in
/// it.
struct Request {
  std::string path;   ///< below the base URL, for example "/api/v1/files/?process=false"
  std::string token;  ///< the caller's bearer token; empty for none
  /// For a POST: its body, of exactly `length` bytes of `content_type`.
  std::function<Result<void>(ByteSink&)> body = nullptr;
  std::uint64_t length = 0;
  std::string content_type = {};
  const char* method = nullptr;  ///< null: POST with a body, GET without
  /// Where the body of a 200 goes instead of Reply::body, with its limit.
  ByteSink* sink = nullptr;
  std::uint64_t limit = 32U << 20U;
};

/// What Open WebUI answered. Plain value.
struct Reply {
  int status = 0;
  std::string body;         ///< empty where it went to a sink
  std::uint64_t bytes = 0;  ///< how long the body was
  std::string date = {};    ///< the header Date, by that server's clock
};

/// Speaks HTTP with the one Open WebUI of the settings, one connection an exchange. Never follows a redirect:
/// the token goes to that server alone. Owned by Files and UserCheck; any thread, concurrently.
class Client {
 public:
  static Result<std::unique_ptr<Client>> make(const Options& options);
  ~Client();

  /// Any status but a redirect is a reply. Failures are offline, timeout, cancelled, too_large, or the body's
  /// own.
  Result<Reply> exchange(const Request& request, Time deadline, std::stop_token cancel) const;

 private:
  struct Target;
  explicit Client(std::unique_ptr<Target> target);
  std::unique_ptr<Target> target_;
};

}  // namespace codebox::openwebui
