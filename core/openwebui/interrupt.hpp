#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "base/clock.hpp"
#include "base/fd.hpp"

namespace codebox::openwebui {

/// Shuts a socket down once the caller leaves or the deadline passes, so that no peer can hold an exchange
/// longer by sending little. Lives on the stack of the thread that runs the exchange; works on a duplicate of
/// the descriptor, which therefore cannot be somebody else's by then.
class Interrupt {
 public:
  Interrupt(int socket, Time deadline, std::stop_token cancel);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool cancelled() const { return cancelled_; }
  bool timed_out() const { return timed_out_; }

 private:
  void watch(std::stop_token finished, Time deadline);

  Fd socket_;
  std::atomic<bool> cancelled_{false};
  std::atomic<bool> timed_out_{false};
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread watcher_;
  std::stop_callback<std::function<void()>> on_cancel_;
};

}  // namespace codebox::openwebui
