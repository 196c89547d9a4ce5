#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "http/connection.hpp"
#include "http/head.hpp"

namespace codebox::http {

/// Reads the body that `head` announces into `body`, at most `max_body` bytes and until `deadline`, and
/// leaves what follows it in the connection. Waits in the calling thread.
std::optional<Problem> read_body(Connection& connection, const Head& head, std::uint64_t max_body,
                                 Time deadline, std::string& body);

}  // namespace codebox::http
