#include "http/watcher.hpp"

#include <algorithm>
#include <vector>

#include "http/threads.hpp"

namespace codebox::http {

Watcher::Watcher(Epoll epoll) : epoll_(std::move(epoll)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Watcher::~Watcher() {
  thread_.request_stop();
  epoll_.wake();
  thread_.join();
}

std::shared_ptr<Flight> Watcher::add(Stream& stream, const Options& options) {
  std::shared_ptr<Flight> flight;
  bool stopping = false;
  {
    const std::lock_guard lock(mutex_);
    flight = std::make_shared<Flight>(++last_, stream, options);
    flights_.emplace(flight->id(), flight);
    stopping = stopping_;
    // Reported once: a peer that closed stays closed.
    epoll_.add(flight->fd(), EPOLLRDHUP | EPOLLONESHOT, flight->id());
  }
  if (stopping) flight->leave();
  return flight;
}

void Watcher::remove(const Flight& flight) {
  const std::lock_guard lock(mutex_);
  epoll_.remove(flight.fd());
  flights_.erase(flight.id());
  due_.erase(flight.id());
}

void Watcher::beat_at(std::uint64_t id, Time due) {
  {
    const std::lock_guard lock(mutex_);
    if (!flights_.contains(id)) return;
    due_[id] = due;
  }
  epoll_.wake();
}

void Watcher::leave_all() {
  std::vector<std::shared_ptr<Flight>> all;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& [id, flight] : flights_) all.push_back(flight);
  }
  for (const auto& flight : all) flight->leave();
}

void Watcher::cut_all() {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, flight] : flights_) flight->cut();
}

void Watcher::run(const std::stop_token& stop) {
  block_signals();
  while (!stop.stop_requested()) {
    for (const Epoll::Ready& ready : epoll_.wait(until_next_beat())) {
      if (const auto flight = find(ready.id)) flight->leave();
    }
    write_due_beats();
  }
}

std::shared_ptr<Flight> Watcher::find(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  const auto found = flights_.find(id);
  return found == flights_.end() ? nullptr : found->second;
}

std::chrono::milliseconds Watcher::until_next_beat() {
  const std::lock_guard lock(mutex_);
  std::chrono::milliseconds rest(60'000);
  for (const auto& [id, due] : due_) rest = std::min(rest, left(due));
  return rest;
}

void Watcher::write_due_beats() {
  std::vector<std::shared_ptr<Flight>> late;
  {
    const std::lock_guard lock(mutex_);
    const Time now = SystemClock().now();
    for (auto it = due_.begin(); it != due_.end();) {
      if (it->second > now) {
        ++it;
        continue;
      }
      late.push_back(flights_.at(it->first));
      it = due_.erase(it);
    }
  }
  for (const auto& flight : late) {
    const std::optional<Time> next = flight->beat();
    if (next) beat_at(flight->id(), *next);
  }
}

}  // namespace codebox::http
