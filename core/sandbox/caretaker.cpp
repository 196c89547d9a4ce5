#include "sandbox/caretaker.hpp"

#include "base/log.hpp"
#include "sandbox/live.hpp"

namespace codebox::sandbox {
namespace {

// More would wait for one another in the engine.
constexpr std::size_t most_removers = 4;
constexpr std::chrono::milliseconds long_wait{500};

}  // namespace

Caretaker::Caretaker(engine::Engine& engine)
    : engine_(engine), keeper_([this](const std::stop_token& stop) { keep_leases(stop); }) {
  for (std::size_t i = 0; i < most_removers; ++i) {
    const auto patience = i == 0 ? std::chrono::milliseconds(0) : long_wait;
    removers_.emplace_back([this, patience](const std::stop_token& stop) { remove_all(stop, patience); });
  }
}

Caretaker::~Caretaker() {
  keeper_.request_stop();
  for (auto& remover : removers_) remover.request_stop();
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
    leaving_.push_back({id, std::chrono::steady_clock::now()});
  }
  changed_.notify_all();
}

bool Caretaker::removing() const {
  const std::lock_guard lock(mutex_);
  return underway_ > 0 || !leaving_.empty();
}

void Caretaker::remove_all(const std::stop_token& stop, std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, stop, [&] { return !leaving_.empty(); });
    if (leaving_.empty()) return;
    // Those of a whole pool come at once when a server stops, which shall not take long.
    if (const auto due = leaving_.front().since + patience;
        !stop.stop_requested() && std::chrono::steady_clock::now() < due) {
      changed_.wait_until(lock, stop, due, [&] { return leaving_.empty(); });
      continue;
    }
    const auto id = leaving_.front().id;
    leaving_.pop_front();
    ++underway_;
    lock.unlock();
    remove_one(id);
    lock.lock();
    --underway_;
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
