#include "sandbox/caretaker.hpp"

#include <vector>

#include "base/log.hpp"
#include "sandbox/live.hpp"

namespace codebox::sandbox {

Caretaker::Caretaker(engine::Engine& engine)
    : engine_(engine),
      remover_([this](const std::stop_token& stop) { remove_all(stop); }),
      keeper_([this](const std::stop_token& stop) { keep_leases(stop); }) {}

Caretaker::~Caretaker() {
  keeper_.request_stop();
  remover_.request_stop();
  // Those of a whole pool come at once when a server stops, which shall not take long.
  std::vector<std::jthread> helpers;
  for (std::size_t i = 0; i < 5; ++i) {
    helpers.emplace_back([this](const std::stop_token& stop) { remove_all(stop); }).request_stop();
  }
}

void Caretaker::add(LiveSandbox& sandbox) {
  const std::lock_guard lock(living_mutex_);
  living_.insert(&sandbox);
}

void Caretaker::leave(LiveSandbox& sandbox) {
  const std::lock_guard lock(living_mutex_);
  living_.erase(&sandbox);
}

void Caretaker::remove(const std::string& id) {
  {
    const std::lock_guard lock(mutex_);
    leaving_.push_back(id);
  }
  changed_.notify_one();
}

void Caretaker::remove_all(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, stop, [&] { return !leaving_.empty(); });
    if (leaving_.empty()) return;
    const auto id = leaving_.front();
    leaving_.pop_front();
    lock.unlock();
    remove_one(id);
    lock.lock();
  }
}

void Caretaker::remove_one(const std::string& id) {
  auto removed = engine_.remove(id);
  if (!removed.ok()) removed = engine_.remove(id);
  if (!removed.ok()) log::warn("A sandbox could not be removed: " + removed.failure().message);
}

void Caretaker::keep_leases(const std::stop_token& stop) {
  std::unique_lock lock(living_mutex_);
  while (!stop.stop_requested()) {
    for (auto* sandbox : living_) sandbox->keep_alive();
    tick_.wait_for(lock, stop, std::chrono::seconds(2), [] { return false; });
  }
}

}  // namespace codebox::sandbox
