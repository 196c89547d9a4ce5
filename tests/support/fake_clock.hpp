#pragma once
#include <chrono>
#include <mutex>

#include "base/clock.hpp"

namespace codebox::test {

/// A clock that moves only when told. Any thread.
class FakeClock : public Clock {
 public:
  explicit FakeClock(WallTime wall = WallTime(std::chrono::seconds(1800000000))) : wall_(wall) {}

  Time now() const override {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  WallTime wall() const override {
    const std::lock_guard lock(mutex_);
    return wall_;
  }
  void advance(std::chrono::milliseconds by) {
    const std::lock_guard lock(mutex_);
    now_ += by;
    wall_ += by;
  }

 private:
  mutable std::mutex mutex_;
  Time now_ = Time(std::chrono::hours(1));
  WallTime wall_;
};

}  // namespace codebox::test
