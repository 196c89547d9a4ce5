#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "engine/engine.hpp"
#include "run/options.hpp"

namespace codebox::run {

/// Which package layers there are, which have to go, and who may have new ones. In memory; what the engine
/// has is told at the start. Any thread.
class LayerStore {
 public:
  LayerStore(const LayerOptions& options, const Clock& clock) : options_(options), clock_(clock) {}

  /// Whether there is a living layer of that key; it counts as used now.
  bool use(const std::string& key);
  void add(const engine::Layer& layer);
  void forget(const std::string& key);
  /// Forgets what is too old, and then what was used longest ago until the rest fits; gives their keys.
  std::vector<std::string> cull();
  /// Whether this user may have one more built; counts it. One of this key that is being built, or was built
  /// in vain not long ago, is not built.
  bool may_build(const std::string& key, const std::string& user);
  void build_ended(const std::string& key, bool made);
  std::uint64_t bytes() const;

 private:
  struct Entry {
    engine::Layer layer;
    std::uint64_t used = 0;
  };
  bool old(const engine::Layer& layer) const;

  const LayerOptions options_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> layers_;
  std::uint64_t uses_ = 0;
  std::map<std::string, Time> not_before_;          // of keys; the end of time while one is built
  std::map<std::string, std::deque<Time>> builds_;  // of users
};

}  // namespace codebox::run
