#include "egress/dial.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>

#include "base/encoding.hpp"
#include "base/text.hpp"
#include "egress/wait.hpp"

namespace codebox::egress {
namespace {

constexpr std::size_t longest_answer = 8192;

std::string why(int error) {
  return std::generic_category().message(error);
}

Result<void> send_all(int socket, std::string_view bytes, const Waiter& waiter, Time deadline) {
  while (!bytes.empty()) {
    if (auto ready = waiter.until(socket, POLLOUT, deadline); !ready) return ready;
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (sent < 0) return Failure{Reason::offline, why(errno)};
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

// One byte at a time: what follows the head belongs to the tunnel.
Result<std::string> read_head(int socket, const Waiter& waiter, Time deadline) {
  std::string head;
  while (!head.ends_with("\r\n\r\n") && !head.ends_with("\n\n")) {
    if (head.size() >= longest_answer) return Failure{Reason::offline, "its answer is too long"};
    if (auto ready = waiter.until(socket, POLLIN, deadline); !ready) return ready.failure();
    char byte = 0;
    const ssize_t got = ::recv(socket, &byte, 1, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got < 0) return Failure{Reason::offline, why(errno)};
    if (got == 0) return Failure{Reason::offline, "it closed the connection"};
    head += byte;
  }
  return head;
}

}  // namespace

Result<Fd> dial(const Address& address, Time deadline, const std::stop_token& cancel) {
  Fd socket(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return Failure{Reason::offline, why(errno)};
  const auto* const target = reinterpret_cast<const sockaddr*>(&address.storage);
  if (::connect(socket.get(), target, address.length) != 0) {
    if (errno != EINPROGRESS) return Failure{Reason::offline, why(errno)};
    const Waiter waiter(cancel);
    if (auto ready = waiter.until(socket.get(), POLLOUT, deadline); !ready) return ready.failure();
    int error = 0;
    socklen_t length = sizeof error;
    ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) return Failure{Reason::offline, why(error)};
  }
  const int flags = ::fcntl(socket.get(), F_GETFL);
  ::fcntl(socket.get(), F_SETFL, flags & ~O_NONBLOCK);
  return socket;
}

Result<void> ask_proxy(int socket, const std::string& authority, const std::string& credentials,
                       Time deadline, const std::stop_token& cancel) {
  const Waiter waiter(cancel);
  std::string request = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
  if (!credentials.empty())
    request += "Proxy-Authorization: Basic " + encoding::to_base64(credentials) + "\r\n";
  request += "\r\n";
  if (auto sent = send_all(socket, request, waiter, deadline); !sent) return sent;
  const auto head = read_head(socket, waiter, deadline);
  if (!head) return head.failure();
  const std::string line = text::one_line(text::to_utf8(text::trim(head->substr(0, head->find('\n')))));
  const auto space = line.find(' ');
  const std::string status = space == std::string::npos ? "" : line.substr(space + 1, 3);
  if (line.starts_with("HTTP/1.") && status.size() == 3 && status.front() == '2') return {};
  if (status == "407")
    return Failure{Reason::offline, "it wants other credentials: the operator checks EGRESS_PROXY"};
  return Failure{Reason::offline, "it answers " + text::quoted(line)};
}

}  // namespace codebox::egress
