#include "quota/bucket.hpp"

#include <algorithm>

namespace codebox::quota {

Bucket::Bucket(double per_second, double burst, Time now)
    : per_second_(per_second), burst_(std::max(burst, 1.0)), tokens_(burst_), filled_(now) {}

std::chrono::duration<double> Bucket::wait(Time now) {
  using Seconds = std::chrono::duration<double>;
  if (now > filled_) {
    tokens_ = std::min(burst_, tokens_ + Seconds(now - filled_).count() * per_second_);
    filled_ = now;
  }
  // Sums of fractions miss a whole number by a hair.
  constexpr double hair = 1e-9;
  if (tokens_ >= 1 - hair) return Seconds(0);
  return Seconds((1 - tokens_) / per_second_);
}

}  // namespace codebox::quota
