#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "engine/engine.hpp"

namespace codebox::sandbox {

class LiveSandbox;

/// Removes used sandboxes off the callers' path and keeps the lease of idle ones. One removal at a time takes
/// the least from the calls that run, but where one dies slowly the others do not wait for it with the memory
/// that is promised to them. Shared by all live sandboxes of one owner, so that it outlives the last; owns a
/// few threads. Any thread.
class Caretaker {
 public:
  explicit Caretaker(engine::Engine& engine);
  /// Removes what is still to be removed.
  ~Caretaker();
  Caretaker(const Caretaker&) = delete;
  Caretaker& operator=(const Caretaker&) = delete;

  void add(LiveSandbox& sandbox);
  /// When this returns, the caretaker does not touch the sandbox any more.
  void leave(LiveSandbox& sandbox);
  void remove(const std::string& id);
  /// Whether some are still to be removed.
  bool removing() const;

 private:
  struct Leaving {
    std::string id;
    std::chrono::steady_clock::time_point since;
  };

  /// Takes up those that have waited for `patience`, or all once it shall stop.
  void remove_all(const std::stop_token& stop, std::chrono::milliseconds patience);
  void remove_one(const std::string& id);
  void keep_leases(const std::stop_token& stop);

  engine::Engine& engine_;
  mutable std::mutex mutex_;  ///< guards the next three
  std::condition_variable_any changed_;
  std::deque<Leaving> leaving_;
  std::size_t underway_ = 0;
  std::mutex living_mutex_;
  std::condition_variable_any tick_;
  std::set<LiveSandbox*> living_;
  std::vector<std::jthread> removers_;
  std::jthread keeper_;
};

}  // namespace codebox::sandbox
