#pragma once
#include <chrono>

#include "base/clock.hpp"

namespace codebox::quota {

/// A token bucket: full at first, one token a call, refilled evenly. Plain value; not thread-safe.
class Bucket {
 public:
  Bucket(double per_second, double burst, Time now);

  /// How long until a token is there; zero when one is. Refills up to `now`.
  std::chrono::duration<double> wait(Time now);
  /// Takes the token that `wait` found.
  void take() { tokens_ -= 1; }

 private:
  double per_second_;
  double burst_;
  double tokens_;
  Time filled_;
};

}  // namespace codebox::quota
