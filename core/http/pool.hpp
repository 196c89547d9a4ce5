#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "http/connection.hpp"

namespace codebox::http {

/// The threads that answer requests, started as they are first needed, and the short queue before them. Owned
/// by the server's engine, which every thread keeps alive while it runs. Any thread.
class Pool {
 public:
  using Job = std::function<void(std::unique_ptr<Connection>)>;

  Pool(std::size_t threads, std::size_t queue, std::weak_ptr<void> owner, Job job);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Takes the connection, or leaves it where it is when all threads are busy and the queue is full.
  bool submit(std::unique_ptr<Connection>& connection);
  /// A pool thread is done with a request before it gives the connection back, so that the next one finds
  /// room.
  void done();
  /// Those that have waited for a thread since before `limit`.
  std::vector<std::unique_ptr<Connection>> overdue(Time limit);

  /// Takes nothing more, drops what waits, and says whether all threads were done by `deadline`.
  bool close(Time deadline);
  /// Joins the threads if they have ended, else leaves them to themselves and says how many.
  std::size_t join();

 private:
  struct Waiting {
    std::unique_ptr<Connection> connection;
    Time since;
  };
  void run();
  bool start_thread();

  const std::size_t most_threads_;
  const std::size_t most_waiting_;
  const std::weak_ptr<void> owner_;
  const Job job_;

  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable ended_;
  std::deque<Waiting> queue_;
  std::vector<std::thread> threads_;
  std::size_t sleeping_ = 0;
  std::size_t busy_ = 0;
  std::size_t running_ = 0;
  bool closed_ = false;
};

}  // namespace codebox::http
