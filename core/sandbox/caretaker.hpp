#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "engine/engine.hpp"

namespace codebox::sandbox {

class LiveSandbox;

/// Removes used sandboxes off the callers' path and keeps the lease of idle ones. Shared by all live
/// sandboxes of one owner, so that it outlives the last; owns two threads. Any thread.
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

 private:
  void remove_all(const std::stop_token& stop);
  void remove_one(const std::string& id);
  void keep_leases(const std::stop_token& stop);

  engine::Engine& engine_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::string> leaving_;
  std::mutex living_mutex_;
  std::condition_variable_any tick_;
  std::set<LiveSandbox*> living_;
  std::jthread remover_;
  std::jthread keeper_;
};

}  // namespace codebox::sandbox
