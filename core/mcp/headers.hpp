#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/endpoint.hpp"

/// Reading the request's headers as the protocol means them. Pure; any thread.
namespace codebox::mcp {

/// Every value of the header `name` (any case), blanks around it removed.
std::vector<std::string> values(const Headers& headers, std::string_view name);

/// Whether the body is declared as application/json, whatever its parameters.
bool declares_json(const Headers& headers);

/// How an answer may look: one JSON text, or events (text/event-stream).
enum class Form { json, events, none };

/// What to answer with: JSON for every client that takes it in any way, else events, else nothing fits.
Form accepted_form(const Headers& headers);

/// Whether the client says by name that it reads events.
bool names_events(const Headers& headers);

/// A header's value with the wrapping =?base64?...?= undone; nothing where that wrapping holds no canonical
/// base64 of UTF-8 text. A value that lacks the prefix or the suffix is literal.
std::optional<std::string> unwrapped(const std::string& value);

}  // namespace codebox::mcp
