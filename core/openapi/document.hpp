#pragma once
#include <string>

#include "mcp/tools.hpp"

namespace codebox::openapi {

/// What the document says of the server itself.
struct About {
  std::string version;
  std::string public_url;  ///< where clients reach it; empty: where the document came from
};

/// The OpenAPI 3.1 description of POST /tools/<name> for each tool, as JSON. Needs no engine; any thread.
std::string document(const mcp::Tools& tools, const About& about);

}  // namespace codebox::openapi
