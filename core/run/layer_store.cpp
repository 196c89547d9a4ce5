#include "run/layer_store.hpp"

#include <algorithm>

namespace codebox::run {
namespace {

constexpr std::chrono::minutes after_failure{30};
constexpr std::chrono::hours budget_time{1};
constexpr std::size_t most_remembered = 1000;
// Each is an image for the engine to look after.
constexpr std::size_t most_layers = 200;

}  // namespace

bool LayerStore::old(const engine::Layer& layer) const {
  const auto made = WallTime(std::chrono::seconds(layer.created));
  return clock_.wall() < made - std::chrono::hours(1) || clock_.wall() >= made + options_.ttl;
}

bool LayerStore::use(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto at = layers_.find(key);
  if (at == layers_.end() || old(at->second.layer)) return false;
  at->second.used = ++uses_;
  return true;
}

void LayerStore::add(const engine::Layer& layer) {
  const std::lock_guard lock(mutex_);
  layers_[layer.key] = {layer, ++uses_};
}

void LayerStore::forget(const std::string& key) {
  const std::lock_guard lock(mutex_);
  layers_.erase(key);
}

std::vector<std::string> LayerStore::cull() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> gone;
  std::uint64_t total = 0;
  for (auto at = layers_.begin(); at != layers_.end();) {
    if (old(at->second.layer)) {
      gone.push_back(at->first);
      at = layers_.erase(at);
    } else {
      total += at->second.layer.size;
      ++at;
    }
  }
  while (!layers_.empty() && (total > options_.size || layers_.size() > most_layers)) {
    const auto oldest = std::min_element(layers_.begin(), layers_.end(), [](const auto& a, const auto& b) {
      return a.second.used < b.second.used;
    });
    total -= oldest->second.layer.size;
    gone.push_back(oldest->first);
    layers_.erase(oldest);
  }
  return gone;
}

bool LayerStore::may_build(const std::string& key, const std::string& user) {
  const std::lock_guard lock(mutex_);
  const Time now = clock_.now();
  if (layers_.contains(key)) return false;
  if (const auto at = not_before_.find(key); at != not_before_.end() && now < at->second) return false;
  std::erase_if(not_before_, [&](const auto& entry) { return entry.second <= now; });
  for (auto at = builds_.begin(); at != builds_.end();) {
    auto& times = at->second;
    while (!times.empty() && times.front() + budget_time <= now) times.pop_front();
    at = times.empty() ? builds_.erase(at) : std::next(at);
  }
  if (not_before_.size() >= most_remembered || builds_.size() >= most_remembered) return false;
  const auto own = builds_.find(user);
  if (own != builds_.end() && own->second.size() >= options_.builds_per_hour) return false;
  builds_[user].push_back(now);
  not_before_[key] = Time::max();
  return true;
}

void LayerStore::build_ended(const std::string& key, bool made) {
  const std::lock_guard lock(mutex_);
  if (made) {
    not_before_.erase(key);
  } else {
    not_before_[key] = clock_.now() + after_failure;
  }
}

std::uint64_t LayerStore::bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t total = 0;
  for (const auto& [key, entry] : layers_) total += entry.layer.size;
  return total;
}

}  // namespace codebox::run
