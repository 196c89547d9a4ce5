#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/head.hpp"
#include "http/server.hpp"

/// Responses as bytes. Pure functions; any thread.
namespace codebox::http {

/// The status line and all fields up to the empty line. Without `length` the body comes in chunks.
std::string answer_head(const Response& response, std::optional<std::uint64_t> length, bool close);
/// `bytes` as one chunk; nothing for no bytes, as an empty chunk would end the body.
std::string chunk(std::string_view bytes);
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

/// The answer that says why the server itself refused, as a JSON-RPC error that also reads well alone.
Response problem_response(const Problem& problem);
/// The same as bytes, with Connection: close.
std::string problem_text(const Problem& problem);

/// Whether a response with this status has no body and no length (RFC 9110, section 6.4.1).
bool is_bodiless(int status);

}  // namespace codebox::http
