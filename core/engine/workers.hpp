#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace codebox::engine {

/// A small set of threads that run tasks in the order they came; threads are made as they are needed. Owned
/// by the launcher. Any thread may post; tasks must not throw.
class Workers {
 public:
  explicit Workers(std::size_t most) : most_(most) {}
  ~Workers() { finish(); }

  void post(std::function<void()> task);
  /// Runs what was posted and ends the threads. Nothing may be posted afterwards.
  void finish();

 private:
  void work();

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool finishing_ = false;
};

}  // namespace codebox::engine
