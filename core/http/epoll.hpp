#pragma once
#include <sys/epoll.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "base/fd.hpp"
#include "base/result.hpp"

namespace codebox::http {

/// A set of sockets that one thread waits on and any thread may change or wake. Poco's PollSet can neither be
/// woken (before 1.13) nor tell that a peer closed while its bytes lie unread.
class Epoll {
 public:
  static Result<Epoll> make();

  /// Reports `events` of the descriptor under `id`; ids of one set are never 0.
  bool add(int fd, std::uint32_t events, std::uint64_t id);
  void change(int fd, std::uint32_t events, std::uint64_t id);
  void remove(int fd);

  struct Ready {
    std::uint64_t id;
    std::uint32_t events;
  };
  /// Waits for events, wake() or `timeout`; the list is good until the next call.
  const std::vector<Ready>& wait(std::chrono::milliseconds timeout);
  void wake();

 private:
  Epoll(Fd epoll, Fd waker) : epoll_(std::move(epoll)), waker_(std::move(waker)) {}

  Fd epoll_;
  Fd waker_;
  std::vector<Ready> ready_;
};

}  // namespace codebox::http
