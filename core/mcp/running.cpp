#include "mcp/running.hpp"

namespace codebox::mcp {

Running::Listed::Listed(Running& running, const std::string& user, const std::string& id,
                        std::stop_source stop)
    : running_(running) {
  const std::lock_guard lock(running_.mutex_);
  place_ = running_.calls_.emplace(std::pair(user, id), std::move(stop));
}

Running::Listed::~Listed() {
  const std::lock_guard lock(running_.mutex_);
  running_.calls_.erase(place_);
}

bool Running::cancel(const std::string& user, const std::string& id) {
  std::stop_source stop(std::nostopstate);
  {
    const std::lock_guard lock(mutex_);
    const std::pair key(user, id);
    if (calls_.count(key) != 1) return false;
    stop = calls_.find(key)->second;
  }
  // Outside the lock: what listens to the stop may take a while, or end the call at once.
  return stop.request_stop();
}

}  // namespace codebox::mcp
