#pragma once
#include <poll.h>

#include <algorithm>
#include <vector>

namespace codebox::agent {

/// What one turn of the agent's loop waits for, and what came of it. Made anew each turn; one thread.
class Polls {
 public:
  void want(int fd, int events) {
    if (fd >= 0) list_.push_back({fd, static_cast<short>(events), 0});
  }
  /// Whether any of `events`, or a hang-up or error, was seen on `fd`.
  bool got(int fd, int events) const {
    return std::any_of(list_.begin(), list_.end(), [&](const pollfd& entry) {
      return entry.fd == fd && (entry.revents & (events | POLLHUP | POLLERR | POLLNVAL)) != 0;
    });
  }
  void wait(int milliseconds) {
    if (::poll(list_.data(), list_.size(), milliseconds) < 0) {
      for (auto& entry : list_) entry.revents = 0;
    }
  }

 private:
  std::vector<pollfd> list_;
};

}  // namespace codebox::agent
