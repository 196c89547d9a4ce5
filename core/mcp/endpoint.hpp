#pragma once
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/caller.hpp"
#include "mcp/tools.hpp"

namespace codebox::mcp {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// One POST to the endpoint, already framed, bounded and authenticated.
struct Post {
  Headers headers;  ///< all of them, in order, names as they came
  std::string body;
  Caller caller;
};

/// What the transport is to send back. Plain value.
struct Answer {
  int status = 200;
  std::string content_type = "application/json";
  Headers headers;
  std::string body;
};

/// Told by the endpoint before a call that may take long; from then on the transport may commit status 200
/// and write a byte that means nothing to `content_type` (a space, or an SSE comment) while the call is
/// silent. Lives as long as the request; any thread.
class Heartbeat {
 public:
  virtual ~Heartbeat() = default;
  virtual void may_begin(const std::string& content_type) = 0;
  /// Sends `text` at once as a part of an answer of that type, which is thereby begun. False where nothing
  /// can be sent ahead of the answer, or an answer of another type has begun.
  virtual bool say(const std::string& content_type, const std::string& text) = 0;
};

/// The Model Context Protocol over HTTP POST, both eras (2024-11-05 to 2025-11-25 with initialize, 2026-07-28
/// without), stateless. Any thread, concurrently.
class Endpoint {
 public:
  virtual ~Endpoint() = default;
  /// `gone` fires when the client closed its connection.
  virtual Answer post(Post post, std::stop_token gone, Heartbeat& heartbeat) = 0;
};

/// `tools` outlives the endpoint; `version` is what clients are told of the server.
std::unique_ptr<Endpoint> make_endpoint(Tools& tools, const std::string& version);

/// A JSON-RPC error for refusals that the transport makes itself (401, 413, 415, 503...): its id is the one
/// in `body` where that can be read, else null.
std::string refusal(const std::string& body, int code, const std::string& message);

}  // namespace codebox::mcp
