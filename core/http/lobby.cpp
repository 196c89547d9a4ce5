#include "http/lobby.hpp"

#include <Poco/Net/SocketAddress.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/log.hpp"
#include "http/answer.hpp"
#include "http/threads.hpp"

namespace codebox::http {
namespace {

constexpr std::uint64_t listener_id = 1;
// Costs no thread and at most a second. Many clients send all of a body before they read why it is refused.
constexpr std::size_t max_drain = 4U << 20;
constexpr std::chrono::milliseconds sweep_every(100);
constexpr std::size_t refused_at_once = 64;  // above the limit: these still hear why

const Problem busy{503, "All of the server's threads are busy; try again in a few seconds."};
const Problem full{503, "The server has too many open connections; try again in a few seconds."};
const Problem late{408, "The request's head did not arrive in time; send it faster."};

}  // namespace

Lobby::Lobby(const Options& options, Epoll epoll, int listener, Tls* tls, Pool& pool)
    : options_(options), epoll_(std::move(epoll)), listener_(listener), tls_(tls), pool_(pool) {}

void Lobby::start() {
  epoll_.add(listener_, EPOLLIN, listener_id);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Lobby::stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  epoll_.wake();
  thread_.join();
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  adopted_.clear();
  waiting_.clear();
}

void Lobby::adopt(std::unique_ptr<Connection> connection) {
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    adopted_.push_back(std::move(connection));
    if (adopted_.size() > 1) return;  // the first one has woken the thread
  }
  epoll_.wake();
}

void Lobby::run(const std::stop_token& stop) {
  block_signals();
  while (!stop.stop_requested()) {
    try {
      turn();
    } catch (const std::exception& error) {  // out of memory: the client in hand is lost, the others go on
      log::error(std::string("A client was dropped: ") + error.what());
    }
  }
}

void Lobby::turn() {
  const bool waited_for = deaf_ || open_ > 0;
  for (const Epoll::Ready& event :
       epoll_.wait(waited_for ? sweep_every : std::chrono::milliseconds(10'000))) {
    if (event.id == listener_id) {
      accept_some();
    } else {
      ready(event.id);
    }
  }
  take_adopted();
  if (SystemClock().now() >= swept_ + sweep_every) sweep();
}

void Lobby::accept_some() {
  for (int i = 0; i < 64; ++i) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    Fd socket(::accept4(listener_, plain, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket) {
      if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) return;
      log::warn("No descriptor is left for another client; raise the limit on open files.");
      epoll_.remove(listener_);
      deaf_ = true;
      deaf_until_ = SystemClock().now() + std::chrono::milliseconds(200);
      return;
    }
    welcome(std::move(socket), Poco::Net::SocketAddress(plain, size).host().toString());
  }
}

void Lobby::welcome(Fd socket, std::string peer) {
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  const std::size_t open = open_;
  if (open >= options_.connections + refused_at_once) return;
  auto stream = tls_ != nullptr ? tls_->stream(std::move(socket)) : plain_stream(std::move(socket));
  auto connection = std::make_unique<Connection>(std::move(stream), std::move(peer), open_);
  connection->deadline = SystemClock().now() + options_.head_timeout;
  if (open >= options_.connections) {
    refuse(std::move(connection), full);
  } else {
    advance(std::move(connection), 0);
  }
}

void Lobby::take_adopted() {
  std::vector<std::unique_ptr<Connection>> adopted;
  {
    const std::lock_guard lock(mutex_);
    adopted.swap(adopted_);
  }
  for (auto& connection : adopted) advance(std::move(connection), 0);
}

void Lobby::ready(std::uint64_t id) {
  const auto found = waiting_.find(id);
  if (found == waiting_.end()) return;
  std::unique_ptr<Connection> connection = std::move(found->second);
  waiting_.erase(found);
  advance(std::move(connection), id);
}

void Lobby::advance(std::unique_ptr<Connection> connection, std::uint64_t id) {
  const bool draining = connection->state == Connection::State::draining;
  const Io io = draining ? discard(*connection) : receive(*connection);
  const int fd = connection->stream->fd();
  if (io == Io::closed || io == Io::done) {
    if (id != 0) epoll_.remove(fd);
    if (io == Io::done) dispatch(std::move(connection));
    return;
  }
  const std::uint32_t events = io == Io::wait_write ? EPOLLOUT : EPOLLIN;
  if (id == 0) {
    id = ++last_;
    if (!epoll_.add(fd, events, id)) return;
  } else if (tls_ != nullptr) {
    epoll_.change(fd, events, id);  // a handshake may wait for either
  }
  waiting_.emplace(id, std::move(connection));
}

/// Reads until the head is whole, or too long: done.
Io Lobby::receive(Connection& connection) {
  std::array<char, 16U << 10> buffer;
  while (true) {
    if (connection.in.size() > max_head || connection.head() != std::string::npos) return Io::done;
    const Moved moved = connection.stream->read(buffer);
    if (moved.io != Io::done) return moved.io;
    connection.in.append(buffer.data(), moved.bytes);
    if (connection.idle) {
      connection.idle = false;
      connection.deadline = SystemClock().now() + options_.head_timeout;
    }
  }
}

Io Lobby::discard(Connection& connection) {
  std::array<char, 16U << 10> buffer;
  while (connection.drained <= max_drain) {
    const Moved moved = connection.stream->read(buffer);
    if (moved.io != Io::done) return moved.io;
    connection.drained += moved.bytes;
  }
  return Io::closed;
}

void Lobby::dispatch(std::unique_ptr<Connection> connection) {
  if (!pool_.submit(connection)) refuse(std::move(connection), busy);
}

void Lobby::refuse(std::unique_ptr<Connection> connection, const Problem& problem) {
  // Fits into the buffer of a socket that was never written to; who does not read it has missed it.
  connection->stream->write(problem_text(problem));
  connection->start_drain();
  advance(std::move(connection), 0);
}

void Lobby::sweep() {
  const Time now = swept_ = SystemClock().now();
  if (deaf_ && now >= deaf_until_) {
    deaf_ = !epoll_.add(listener_, EPOLLIN, listener_id);
  }
  std::vector<std::unique_ptr<Connection>> slow;
  for (auto it = waiting_.begin(); it != waiting_.end();) {
    if (it->second->deadline > now) {
      ++it;
      continue;
    }
    epoll_.remove(it->second->stream->fd());
    const bool told = it->second->state == Connection::State::draining || it->second->in.empty();
    if (!told) slow.push_back(std::move(it->second));
    it = waiting_.erase(it);
  }
  for (auto& connection : slow) refuse(std::move(connection), late);
  for (auto& connection : pool_.overdue(now - options_.queue_timeout)) refuse(std::move(connection), busy);
}

}  // namespace codebox::http
