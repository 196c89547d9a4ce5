#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace codebox::quota {

/// What a user may ask for, from the operator's settings. Plain value.
struct Options {
  double per_second = 5;        ///< RATE_LIMIT_RPS: calls, 0 to 10000; 0 turns the rate limit off
  double burst = 10;            ///< RATE_LIMIT_BURST: calls after a pause, 1 to 100000
  std::size_t concurrent = 20;  ///< MAX_CONCURRENT_SANDBOXES
  std::size_t per_user = 3;     ///< MAX_CONCURRENT_SANDBOXES_PER_USER
};

/// The right to run one sandbox; given back when destroyed, on any thread. Movable; owned by the call, and
/// may outlive the quota.
class Slot {
 public:
  struct Holder {
    virtual ~Holder() = default;
  };
  Slot() = default;
  explicit Slot(std::unique_ptr<Holder> holder) : holder_(std::move(holder)) {}
  explicit operator bool() const { return holder_ != nullptr; }

 private:
  std::unique_ptr<Holder> holder_;
};

/// Who may run now. Any thread. Remembers 4096 users; beyond, who was quiet longest is forgotten.
class Quota {
 public:
  virtual ~Quota() = default;
  /// Reason::rate_limited or Reason::capacity, with a sentence that says when to retry; takes nothing then.
  virtual Result<Slot> take(const std::string& user) = 0;
  /// How many slots are held now.
  virtual std::size_t running() const = 0;
};

std::unique_ptr<Quota> make_quota(const Options& options, const Clock& clock);

}  // namespace codebox::quota
