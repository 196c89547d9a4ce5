#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "sandbox/sandbox.hpp"

namespace codebox::sandbox {

/// The sandboxes of one kind that wait for a call, and how many of them recent demand is worth. Owned by the
/// warm pool, which guards it.
class Shelf {
 public:
  using Held = std::unique_ptr<Sandbox>;
  struct Kind {
    engine::CreateSpec spec;
    Preparation preparation;
    bool preloads() const { return !preparation.waiting.argv.empty(); }
    /// Tells kinds apart: all that a waiting sandbox was made from.
    std::string key() const;
  };
  struct Bounds {
    std::size_t floor = 0;
    std::size_t ceiling = 0;
    std::chrono::milliseconds idle{0};  ///< demand that is older is forgotten
  };

  Shelf(Kind kind, Bounds bounds) : kind_(std::move(kind)), key_(kind_.key()), bounds_(bounds) {}

  const Kind& kind() const { return kind_; }
  const std::string& key() const { return key_; }
  std::size_t size() const { return ready_.size() + plain_.size(); }
  std::size_t preloaded() const { return ready_.size(); }

  /// A call came for this kind.
  void asked(Time now);
  /// How many shall wait: twice the peak of the calls that came close together, between floor and ceiling.
  std::size_t target(Time now) const;

  void put(Held sandbox, bool preloaded);
  /// The best that waits, or null.
  Held take();
  /// One that waits without its process, or null.
  Held take_plain();
  /// Takes out what has ended, and what is more than the target.
  std::vector<Held> cull(Time now);
  std::vector<Held> clear();

  /// After a start that failed, the next try is not before this.
  Time not_before{};

 private:
  const Kind kind_;
  const std::string key_;
  const Bounds bounds_;
  std::deque<Held> ready_;  ///< with their process
  std::deque<Held> plain_;
  std::deque<Time> recent_;
  std::size_t peak_ = 0;
  Time peak_at_{};
};

}  // namespace codebox::sandbox
