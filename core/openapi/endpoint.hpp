#pragma once
#include <stop_token>
#include <string>

#include "base/result.hpp"
#include "mcp/endpoint.hpp"
#include "mcp/tools.hpp"
#include "openapi/document.hpp"

namespace codebox::openapi {

/// The same tools for clients that know OpenAPI: GET /openapi.json describes POST /tools/<name>. Keeps
/// nothing between requests. Owned by app; any thread, concurrently.
class Endpoint {
 public:
  Endpoint(mcp::Tools& tools, About about) : tools_(tools), about_(std::move(about)) {}

  mcp::Answer describe() const;
  /// One call of the tool `name`, whose arguments are the body. Blocks until it is done; `gone` ends it. A
  /// call that was taken up is status 200, whatever came of it.
  mcp::Answer call(const std::string& name, mcp::Post post, std::stop_token gone,
                   mcp::Heartbeat& heartbeat) const;
  /// Why there is no call, in the form that the client reads.
  static mcp::Answer refusal(int status, const Failure& failure, const mcp::Headers& headers);

 private:
  mcp::Tools& tools_;
  const About about_;
};

/// Whether the answer is the text for a model alone: the client asks for it first, or it comes from a chat of
/// Open WebUI without asking for anything (that client shows a model the JSON as it is, newlines escaped).
bool wants_text(const mcp::Headers& headers);

}  // namespace codebox::openapi
