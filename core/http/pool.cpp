#include "http/pool.hpp"

#include <system_error>

#include "base/log.hpp"
#include "http/threads.hpp"

namespace codebox::http {

Pool::Pool(std::size_t threads, std::size_t queue, std::weak_ptr<void> owner, Job job)
    : most_threads_(threads), most_waiting_(queue), owner_(std::move(owner)), job_(std::move(job)) {}

Pool::~Pool() {
  close(SystemClock().now());
  join();
}

bool Pool::submit(std::unique_ptr<Connection>& connection) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_ || queue_.size() + busy_ >= most_threads_ + most_waiting_) return false;
    if (sleeping_ <= queue_.size() && threads_.size() < most_threads_ && !start_thread() &&
        threads_.empty()) {
      return false;
    }
    queue_.push_back({std::move(connection), SystemClock().now()});
  }
  work_.notify_one();
  return true;
}

void Pool::done() {
  const std::lock_guard lock(mutex_);
  --busy_;
}

std::vector<std::unique_ptr<Connection>> Pool::overdue(Time limit) {
  std::vector<std::unique_ptr<Connection>> late;
  const std::lock_guard lock(mutex_);
  while (!queue_.empty() && queue_.front().since < limit) {
    late.push_back(std::move(queue_.front().connection));
    queue_.pop_front();
  }
  return late;
}

bool Pool::close(Time deadline) {
  std::deque<Waiting> dropped;
  std::unique_lock lock(mutex_);
  closed_ = true;
  dropped.swap(queue_);
  work_.notify_all();
  return ended_.wait_until(lock, deadline, [this] { return running_ == 0; });
}

std::size_t Pool::join() {
  std::vector<std::thread> threads;
  std::size_t left_over = 0;
  {
    const std::lock_guard lock(mutex_);
    threads.swap(threads_);
    left_over = running_;
  }
  for (std::thread& thread : threads) {
    if (left_over == 0) {
      thread.join();
    } else {
      thread.detach();
    }
  }
  return left_over;
}

bool Pool::start_thread() {
  std::shared_ptr<void> owner = owner_.lock();
  if (!owner) return false;
  try {
    threads_.emplace_back([this, owner = std::move(owner)] { run(); });
    ++running_;
    return true;
  } catch (const std::system_error&) {
    log::warn("No thread could be started to answer requests; raise the limit on processes or on memory.");
    return false;
  }
}

void Pool::run() {
  block_signals();
  std::unique_lock lock(mutex_);
  while (true) {
    ++sleeping_;
    work_.wait(lock, [this] { return closed_ || !queue_.empty(); });
    --sleeping_;
    if (queue_.empty()) break;
    std::unique_ptr<Connection> connection = std::move(queue_.front().connection);
    queue_.pop_front();
    ++busy_;
    lock.unlock();
    job_(std::move(connection));
    lock.lock();
  }
  --running_;
  ended_.notify_all();
}

}  // namespace codebox::http
