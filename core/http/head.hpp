#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "http/server.hpp"

namespace codebox::http {

inline constexpr std::size_t max_head = 64U << 10;   ///< bytes of a whole head
inline constexpr std::size_t max_fields = 100;       ///< header fields of one request
inline constexpr std::size_t max_target = 8U << 10;  ///< bytes of path and query

/// Why a request is refused by the server itself. Status 0: the client is lost, there is nobody to answer.
struct Problem {
  int status = 400;
  std::string message;
};

/// The head of a request whose framing is unambiguous. Plain value.
struct Head {
  Request request;       ///< no body yet
  bool old = false;      ///< HTTP/1.0: no chunks, no 100, closed afterwards
  bool close = false;    ///< the client wants the connection closed
  bool expects = false;  ///< it waits for 100 before it sends the body
  bool chunked = false;
  std::optional<std::uint64_t> length;

  bool has_body() const { return chunked || length.value_or(0) > 0; }
};

/// The length of the head at the start of `bytes` with the empty line that ends it, or npos while that is
/// missing. Looks from `*scanned` on and moves it, so that a head that arrives byte by byte is read once.
std::size_t head_end(std::string_view bytes, std::size_t* scanned);

/// Reads one whole head, strictly: what two parsers could understand in two ways is refused.
std::variant<Head, Problem> parse_head(std::string_view bytes, std::uint64_t max_body);

}  // namespace codebox::http
