#pragma once
#include <functional>
#include <stop_token>

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "base/result.hpp"

namespace codebox::egress {

/// Waits on a descriptor and wakes at once when the caller leaves. On the stack of one thread.
class Waiter {
 public:
  explicit Waiter(std::stop_token cancel);
  /// Until `events` of poll(2) are there; cancelled or timeout otherwise.
  Result<void> until(int fd, short events, Time deadline) const;

 private:
  Fd wake_;
  std::stop_callback<std::function<void()>> on_cancel_;
};

}  // namespace codebox::egress
