#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/fd.hpp"
#include "base/result.hpp"

/// Messages between the server and its launcher: one JSON text each on a SOCK_SEQPACKET pair, at most one
/// file descriptor with it. Sending is atomic, so any thread may send; one thread receives.
namespace codebox::engine::wire {

inline constexpr std::size_t max_message = 64 * 1024;  ///< bytes of JSON

/// What came in one message. Movable, one owner.
struct Message {
  std::string text;
  Fd fd;
};

/// A connected pair, both ends close-on-exec.
Result<std::pair<Fd, Fd>> make_pair();
Result<void> send(int socket, std::string_view text, int fd = -1);
/// The next message, or nothing at the end of the connection.
Result<std::optional<Message>> receive(int socket);

}  // namespace codebox::engine::wire
