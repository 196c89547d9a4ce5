#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "http/epoll.hpp"
#include "http/flight.hpp"

namespace codebox::http {

/// Watches the clients of all requests in flight: tells a request when its client left and writes the beats
/// of those that take long. Owned by the server; one thread of its own; add and remove from any thread.
class Watcher {
 public:
  explicit Watcher(Epoll epoll);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  std::shared_ptr<Flight> add(Stream& stream, const Options& options);
  /// Afterwards the watcher touches neither the flight nor its stream.
  void remove(const Flight& flight);
  void beat_at(std::uint64_t id, Time due);

  /// Fires gone() of every flight, also of those to come.
  void leave_all();
  /// Breaks every flight's connection.
  void cut_all();

 private:
  void run(const std::stop_token& stop);
  std::chrono::milliseconds until_next_beat();
  void write_due_beats();
  std::shared_ptr<Flight> find(std::uint64_t id);

  Epoll epoll_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<Flight>> flights_;
  std::map<std::uint64_t, Time> due_;
  std::uint64_t last_ = 0;
  bool stopping_ = false;
  std::jthread thread_;
};

}  // namespace codebox::http
