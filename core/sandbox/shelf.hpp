#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "sandbox/attempts.hpp"
#include "sandbox/sandbox.hpp"

namespace codebox::sandbox {

/// The sandboxes of one kind that wait for a call, and how many of them recent demand is worth. Owned by the
/// warm pool, which guards it: one thread at a time.
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
    std::chrono::milliseconds idle{0};  ///< demand above the floor that is older is forgotten
    /// After so long without a call the floor is given up as well; none: never.
    std::optional<std::chrono::milliseconds> rest{};
  };

  Shelf(Kind kind, Bounds bounds) : kind_(std::move(kind)), key_(kind_.key()), bounds_(bounds) {}

  const Kind& kind() const { return kind_; }
  const std::string& key() const { return key_; }
  std::size_t size() const { return ready_.size() + plain_.size(); }
  std::size_t preloaded() const { return ready_.size(); }
  /// Bytes of memory that those who wait hold, and that one more would; a process counts as much as the last
  /// one said that it holds.
  std::uint64_t bytes() const;
  std::uint64_t bytes_of_one() const;
  /// What a process of this kind said that it holds; never less than one of nothing, nor more than it may.
  void measured(std::uint64_t process_bytes);

  /// A call came for this kind.
  void asked(Time now);
  /// Whether a call came not long ago, so that the floor is kept.
  bool wanted(Time now) const;
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

  Attempts starts;
  /// Of a waiting process in a sandbox that is there. One that never gets ready costs only what it would have
  /// saved: sandboxes wait without it.
  Attempts preloads;
  /// Why none waits, or none with its process; empty where nothing failed last.
  const std::string& trouble() const {
    return starts.trouble().empty() ? preloads.trouble() : starts.trouble();
  }

 private:
  /// More than any interpreter that was seen, until the first one is there.
  static constexpr std::uint64_t unmeasured = 160ULL << 20;
  const Kind kind_;
  const std::string key_;
  const Bounds bounds_;
  std::uint64_t process_bytes_ = unmeasured;
  std::deque<Held> ready_;  ///< with their process
  std::deque<Held> plain_;
  std::deque<Time> recent_;
  std::size_t peak_ = 0;
  Time peak_at_{};
  std::optional<Time> last_;
};

}  // namespace codebox::sandbox
