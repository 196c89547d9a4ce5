#include "agent/proxy.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "agent/request.hpp"

namespace codebox::agent {
namespace {

constexpr std::uint16_t port = 3128;
constexpr std::size_t longest_head = 16 * 1024;
constexpr std::chrono::seconds head_patience{30};

}  // namespace

Proxy::Proxy() {
  Fd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // Without a loopback interface there is no proxy; programs see a refused connection.
  if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::listen(listener.get(), 64) == 0) {
    listener_ = std::move(listener);
  }
}

void Proxy::want(Polls& polls, const Wire& wire) const {
  if (connections_.size() < frames::max_tunnels) polls.want(listener_.get(), POLLIN);
  for (const auto& [channel, connection] : connections_) {
    int events = 0;
    const bool may_send = connection.state == Connection::reading_head ||
                          (connection.state == Connection::open && connection.credit > 0 && wire.room());
    if (may_send && !connection.in_ended) events |= POLLIN;
    if (!connection.out.empty()) events |= POLLOUT;
    if (events != 0) polls.want(connection.socket.get(), events);
  }
}

void Proxy::turn(const Polls& polls, Wire& wire) {
  if (polls.got(listener_.get(), POLLIN)) take_in();
  for (auto at = connections_.begin(); at != connections_.end();) {
    at = move(at->first, at->second, polls, wire) ? connections_.erase(at) : std::next(at);
  }
}

void Proxy::take_in() {
  while (connections_.size() < frames::max_tunnels) {
    Fd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket) return;
    const int yes = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    next_ = frames::tunnel_bit | (next_ + 1);
    auto& connection = connections_[next_];
    connection.socket = std::move(socket);
    connection.since = std::chrono::steady_clock::now();
  }
}

void Proxy::refuse(Connection& connection, int status, std::string_view why) {
  std::string line(why.substr(0, 500));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }, ' ');
  connection.out = "HTTP/1.1 " + std::to_string(status) + " " + line +
                   "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\nContent-Length: " +
                   std::to_string(line.size() + 1) + "\r\n\r\n" + line + "\n";
  connection.state = Connection::refusing;
}

void Proxy::head(std::uint32_t channel, Connection& connection, Wire& wire) {
  const auto end = connection.in.find("\r\n\r\n");
  if (end == std::string::npos) {
    if (connection.in.size() > longest_head)
      refuse(connection, 431, "the request's head is longer than 16 KiB");
    return;
  }
  auto request = read_request(std::string_view(connection.in).substr(0, end + 4));
  if (!request.error.empty()) return refuse(connection, 400, request.error);
  connection.connect = request.connect;
  connection.in.replace(0, end + 4, request.head);
  connection.state = Connection::opening;
  frames::TunnelOpen open;
  open.host = request.host;
  open.port = request.port;
  wire.send(frames::Type::tunnel_open, channel, open.encode());
}

bool Proxy::read_in(Connection& connection) {
  char buffer[16 * 1024];
  const auto got = ::recv(connection.socket.get(), buffer, sizeof buffer, 0);
  if (got > 0) connection.in.append(buffer, static_cast<std::size_t>(got));
  if (got == 0) connection.in_ended = true;
  return got >= 0 || errno == EAGAIN || errno == EINTR;
}

bool Proxy::write_out(std::uint32_t channel, Connection& connection, Wire& wire) {
  while (!connection.out.empty()) {
    const auto put =
        ::send(connection.socket.get(), connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
    if (put < 0) return errno == EAGAIN || errno == EINTR;
    if (connection.state == Connection::open) wire.credit(channel, static_cast<std::size_t>(put));
    connection.out.erase(0, static_cast<std::size_t>(put));
  }
  return true;
}

bool Proxy::move(std::uint32_t channel, Connection& connection, const Polls& polls, Wire& wire) {
  bool alive = true;
  const bool reads = connection.state == Connection::reading_head ||
                     (connection.state == Connection::open && connection.in.empty());
  if (reads && !connection.in_ended && polls.got(connection.socket.get(), POLLIN))
    alive = read_in(connection);
  if (connection.state == Connection::reading_head) {
    if (connection.in_ended || std::chrono::steady_clock::now() > connection.since + head_patience)
      return true;
    head(channel, connection, wire);
  }
  if (alive) alive = write_out(channel, connection, wire);
  if (connection.state == Connection::refusing) {
    if (!alive || !connection.out.empty()) return !alive;
    ::shutdown(connection.socket.get(), SHUT_WR);
    return true;
  }
  if (!alive) {
    if (connection.state != Connection::reading_head) wire.send(frames::Type::tunnel_close, channel);
    return true;
  }
  if (connection.state != Connection::open) return false;
  while (!connection.in.empty() && connection.credit > 0 && wire.room()) {
    const auto part =
        std::string_view(connection.in).substr(0, std::min<std::size_t>(connection.credit, 16 * 1024));
    wire.send(frames::Type::tunnel_data, channel, part);
    connection.credit -= static_cast<std::uint32_t>(part.size());
    connection.in.erase(0, part.size());
  }
  if (connection.in_ended && connection.in.empty() && !connection.in_end_sent) {
    connection.in_end_sent = true;
    wire.send(frames::Type::tunnel_end, channel);
  }
  if (connection.out_ended && connection.out.empty() && !connection.out_shut) {
    connection.out_shut = true;
    ::shutdown(connection.socket.get(), SHUT_WR);
  }
  if (connection.in_end_sent && connection.out_shut) {
    wire.send(frames::Type::tunnel_close, channel);
    return true;
  }
  return false;
}

void Proxy::frame(const frames::Frame& frame, Wire& wire) {
  const auto at = connections_.find(frame.channel);
  if (at == connections_.end()) return;
  auto& connection = at->second;
  switch (frame.type) {
    case frames::Type::tunnel_opened:
      if (connection.state != Connection::opening) return;
      connection.state = Connection::open;
      // Not part of the tunnel's window: these bytes never came from the server.
      if (connection.connect) {
        constexpr std::string_view answer = "HTTP/1.1 200 Connection established\r\n\r\n";
        if (::send(connection.socket.get(), answer.data(), answer.size(), MSG_NOSIGNAL) < 0) {
          wire.send(frames::Type::tunnel_close, frame.channel);
          connections_.erase(at);
        }
      }
      return;
    case frames::Type::tunnel_refused:
      if (connection.state == Connection::opening) refuse(connection, 403, frame.payload);
      return;
    case frames::Type::tunnel_data:
      if (connection.state == Connection::open) connection.out.append(frame.payload);
      return;
    case frames::Type::tunnel_end:
      connection.out_ended = true;
      return;
    case frames::Type::tunnel_close:
      connections_.erase(at);
      return;
    case frames::Type::credit: {
      std::uint32_t more = frames::Reader(frame.payload).u32();
      connection.credit += std::min(more, frames::window - std::min(connection.credit, frames::window));
      return;
    }
    default:
      return;
  }
}

}  // namespace codebox::agent
