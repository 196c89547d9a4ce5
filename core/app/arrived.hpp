#pragma once
#include "base/caller.hpp"
#include "base/result.hpp"
#include "http/server.hpp"

/// GET /connection: what of a connection's settings arrived with this very request. Open WebUI asks for it on
/// behalf of `codebox doctor --openwebui`. It tells its caller only of what that sent. Any thread.
namespace codebox::app {

inline constexpr const char* arrived_path = "/connection";

/// {"server": "codebox", "token": "ok" or why not, "chat": word, "message": word}, where the word is one of
/// absent, empty, unfilled (a template as it was typed), id, other.
http::Response arrived(const http::Request& request, const Result<Caller>& caller);

}  // namespace codebox::app
