#include "engine/workers.hpp"

#include <utility>

namespace codebox::engine {

void Workers::post(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  if (tasks_.size() > idle_ && threads_.size() < most_) threads_.emplace_back([this] { work(); });
  wake_.notify_one();
}

void Workers::finish() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
    threads.swap(threads_);
    wake_.notify_all();
  }
  for (auto& thread : threads) thread.join();
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [this] { return finishing_ || !tasks_.empty(); });
    --idle_;
    if (tasks_.empty()) return;
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace codebox::engine
