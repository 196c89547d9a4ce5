#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "mcp/endpoint.hpp"

/// What the endpoint's address answers to everything that is not a POST, and to pages of other sites. Pure;
/// any thread.
namespace codebox::mcp {

/// The value of Allow with status 405. There is no stream to GET and no session to DELETE.
inline constexpr const char* allowed_methods = "POST, OPTIONS";

/// Methods that a page may try: one that ends in 405 is clearer to it than one that its browser hides.
inline constexpr const char* cors_methods = "POST, GET, DELETE, OPTIONS";

/// Request headers that a page may set; those that begin with Mcp-Param- as well.
const std::vector<std::string>& cors_request_headers();

/// Response headers that a page may read.
inline constexpr const char* cors_exposed_headers = "Mcp-Session-Id, WWW-Authenticate, Retry-After";

/// Whether a page of `origin` (the header's value, empty when it is absent) may call the server that the
/// client knows as `host` (the header Host). `allowed` is ALLOWED_ORIGINS: origins, or "*". Beyond it, a page
/// on this machine may call a server on this machine, and one served from the same bare address may call it;
/// a host name proves nothing, since its owner can point it anywhere.
bool origin_allowed(const std::string& origin, const std::string& host,
                    const std::vector<std::string>& allowed);

/// Headers for every answer, errors too, to a page whose origin is allowed. Nothing for an empty origin.
Headers cors_headers(const std::string& origin);

/// Headers for the answer to OPTIONS, status 204; `requested` is Access-Control-Request-Headers.
Headers preflight_headers(const std::string& origin, const std::string& requested);

}  // namespace codebox::mcp
