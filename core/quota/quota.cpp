#include "quota/quota.hpp"

#include <cmath>
#include <list>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "quota/bucket.hpp"

namespace codebox::quota {
namespace {

constexpr std::size_t max_users = 4096;

struct Person {
  std::string name;
  Bucket bucket;
  std::size_t running = 0;
};

/// Everybody's state behind one lock; slots keep it alive, so that one may outlive the quota.
class Ledger {
 public:
  Ledger(const Options& options, const Clock& clock) : options_(options), clock_(clock) {}

  /// Counts one more for `user`, or says why not and counts nothing.
  Result<void> enter(const std::string& user) {
    const std::lock_guard lock(mutex_);
    const Time now = clock_.now();
    Person& person = find(user, now);
    if (person.running >= options_.per_user) {
      return Failure{
          Reason::capacity,
          "As many of your programs run as may at once (" + std::to_string(person.running) +
              ", MAX_CONCURRENT_SANDBOXES_PER_USER): try again when one of them has ended."};
    }
    if (running_ >= options_.concurrent) {
      return Failure{Reason::capacity,
                     "All " + std::to_string(options_.concurrent) + " sandboxes are busy: try again in 5 s."};
    }
    if (options_.per_second > 0) {
      const auto wait = person.bucket.wait(now);
      if (wait.count() > 0) {
        const auto seconds = static_cast<long long>(std::ceil(wait.count()));
        return Failure{Reason::rate_limited,
                       "Too many calls: try again in " + std::to_string(seconds) + " s."};
      }
      person.bucket.take();
    }
    ++person.running;
    ++running_;
    return {};
  }

  void leave(const std::string& user) {
    const std::lock_guard lock(mutex_);
    --running_;
    --people_.at(user)->running;
  }

  std::size_t running() const {
    const std::lock_guard lock(mutex_);
    return running_;
  }

 private:
  // The person, moved to the front. A new one may push out whoever was quiet longest; who runs something
  // stays.
  Person& find(const std::string& user, Time now) {
    const auto known = people_.find(user);
    if (known != people_.end()) {
      order_.splice(order_.begin(), order_, known->second);
      return *known->second;
    }
    if (people_.size() >= max_users) forget_one();
    order_.push_front(Person{user, Bucket(options_.per_second, options_.burst, now)});
    people_.emplace(user, order_.begin());
    return order_.front();
  }

  void forget_one() {
    for (auto last = order_.end(); last != order_.begin();) {
      --last;
      if (last->running > 0) continue;
      people_.erase(last->name);
      order_.erase(last);
      return;
    }
  }

  const Options options_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::list<Person> order_;  ///< most recent first
  std::unordered_map<std::string, std::list<Person>::iterator> people_;
  std::size_t running_ = 0;
};

/// One counted call; counts it off when it goes.
class Taken : public Slot::Holder {
 public:
  Taken(std::shared_ptr<Ledger> ledger, std::string user)
      : ledger_(std::move(ledger)), user_(std::move(user)) {}
  ~Taken() override {
    if (entered_) ledger_->leave(user_);
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;

  Result<void> enter() {
    auto entered = ledger_->enter(user_);
    entered_ = entered.ok();
    return entered;
  }

 private:
  std::shared_ptr<Ledger> ledger_;
  const std::string user_;
  bool entered_ = false;
};

class LedgerQuota : public Quota {
 public:
  LedgerQuota(const Options& options, const Clock& clock)
      : ledger_(std::make_shared<Ledger>(options, clock)) {}

  Result<Slot> take(const std::string& user) override {
    // Made before it counts: nothing between the count and its owner can fail.
    auto taken = std::make_unique<Taken>(ledger_, user);
    if (auto entered = taken->enter(); !entered) return entered.failure();
    return Slot(std::move(taken));
  }

  std::size_t running() const override { return ledger_->running(); }

 private:
  std::shared_ptr<Ledger> ledger_;
};

}  // namespace

std::unique_ptr<Quota> make_quota(const Options& options, const Clock& clock) {
  return std::make_unique<LedgerQuota>(options, clock);
}

}  // namespace codebox::quota
