#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/fd.hpp"
#include "http/connection.hpp"
#include "http/epoll.hpp"
#include "http/pool.hpp"
#include "http/server.hpp"
#include "http/tls.hpp"

namespace codebox::http {

/// Where clients wait: accepts them, holds each until a whole request head has come, hands it to the pool,
/// and reads away what the refused ones still send. A slow client costs memory here, but no thread. Owned by
/// the server; one thread of its own; adopt() from any thread.
class Lobby {
 public:
  /// `listener` is a listening socket that outlives the lobby; without `tls` clients speak plain HTTP.
  Lobby(const Options& options, Epoll epoll, int listener, Tls* tls, Pool& pool);
  ~Lobby() { stop(); }
  Lobby(const Lobby&) = delete;
  Lobby& operator=(const Lobby&) = delete;

  /// Takes a connection back after its request; its state and deadline are set.
  void adopt(std::unique_ptr<Connection> connection);
  void start();
  /// Ends the thread and closes all who wait.
  void stop();

 private:
  void run(const std::stop_token& stop);
  void turn();
  void accept_some();
  void welcome(Fd socket, std::string peer);
  void take_adopted();
  void ready(std::uint64_t id);
  /// Moves a connection as far as it goes without waiting; takes it over while it must wait for more.
  void advance(std::unique_ptr<Connection> connection, std::uint64_t id);
  Io receive(Connection& connection);
  Io discard(Connection& connection);
  void dispatch(std::unique_ptr<Connection> connection);
  void refuse(std::unique_ptr<Connection> connection, const Problem& problem);
  void sweep();

  const Options& options_;
  Epoll epoll_;
  const int listener_;
  Tls* const tls_;
  Pool& pool_;
  std::atomic<std::size_t> open_{0};  // all connections, wherever they are

  std::mutex mutex_;
  std::vector<std::unique_ptr<Connection>> adopted_;
  bool stopped_ = false;

  // The rest belongs to the thread.
  std::unordered_map<std::uint64_t, std::unique_ptr<Connection>> waiting_;
  std::uint64_t last_ = 1;
  Time swept_;
  Time deaf_until_;  // no descriptor was left for another client
  bool deaf_ = false;
  std::jthread thread_;
};

}  // namespace codebox::http
