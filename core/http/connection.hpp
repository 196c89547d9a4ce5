#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "base/clock.hpp"
#include "http/head.hpp"
#include "http/stream.hpp"

namespace codebox::http {

/// One open client with what it has sent and nobody has used. Owned by whoever works on it: the lobby while
/// it is waited for, a pool thread while its request is answered.
class Connection {
 public:
  enum class State { waiting, draining };

  Connection(std::unique_ptr<Stream> over, std::string from, std::atomic<std::size_t>& open)
      : stream(std::move(over)), peer(std::move(from)), open_(open) {
    ++open_;
  }
  ~Connection() { --open_; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// The length of the whole request head in `in`, or npos.
  std::size_t head() { return head_end(in, &scanned_); }
  /// Drops what was used from the front of `in`.
  void use(std::size_t bytes) {
    in.erase(0, bytes);
    scanned_ = 0;
  }
  /// The last answer is written: for a second, what the client still sends is read and thrown away.
  void start_drain() {
    stream->finish();
    in.clear();
    state = State::draining;
    deadline = SystemClock().now() + std::chrono::seconds(1);
  }

  std::unique_ptr<Stream> stream;
  std::string peer;
  std::string in;
  State state = State::waiting;
  bool idle = false;        ///< kept alive and nothing of the next request has come
  std::size_t drained = 0;  ///< bytes thrown away since the answer was sent
  Time deadline;            ///< when its present state has lasted too long

 private:
  std::atomic<std::size_t>& open_;
  std::size_t scanned_ = 0;
};

}  // namespace codebox::http
