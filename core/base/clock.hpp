#pragma once
#include <chrono>

namespace codebox {

using Time = std::chrono::steady_clock::time_point;
using WallTime = std::chrono::system_clock::time_point;

/// The seam for time. Implementations may be called from any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time now() const = 0;       ///< monotonic
  virtual WallTime wall() const = 0;  ///< the date, as the machine believes it
};

/// The machine's clocks. Any thread.
class SystemClock : public Clock {
 public:
  Time now() const override { return std::chrono::steady_clock::now(); }
  WallTime wall() const override { return std::chrono::system_clock::now(); }
};

/// What is left until `deadline`, never negative.
inline std::chrono::milliseconds left(Time deadline) {
  const auto now = std::chrono::steady_clock::now();
  if (deadline <= now) return std::chrono::milliseconds(0);
  return std::chrono::ceil<std::chrono::milliseconds>(deadline - now);
}

}  // namespace codebox
