#pragma once
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "engine/engine.hpp"

namespace codebox::sandbox {

/// Stands before the engine and counts the memory that is promised: the sum of all sandboxes' limits, also of
/// those that wait for a call or install packages, never exceeds what the host has for them. Owned by app;
/// any thread.
class Admission : public engine::Engine {
 public:
  /// `total` is SANDBOX_MAX_TOTAL_MEMORY; 0 stands for nine tenths of the engine's memory.
  Admission(engine::Engine& behind, std::uint64_t total) : behind_(behind), total_(total) {}

  Result<engine::EngineInfo> info() override { return behind_.info(); }
  Result<engine::ImageInfo> image(const std::string& reference) override { return behind_.image(reference); }
  Result<void> pull(const std::string& reference, const std::function<void(std::string)>& progress,
                    std::stop_token cancel) override {
    return behind_.pull(reference, progress, std::move(cancel));
  }
  Result<engine::ContainerState> state(const std::string& id) override { return behind_.state(id); }

  /// Reason::capacity with when to try again, where the memory is promised to others.
  Result<engine::Container> start(const engine::CreateSpec& spec, std::stop_token cancel) override;
  Result<void> set_memory(const std::string& id, std::uint64_t bytes) override;
  Result<void> remove(const std::string& id) override;

  /// What is asked, before a caller is refused, to give up so many bytes of what only waits; it says whether
  /// some will come free. It outlives every start.
  void set_give_way(std::function<bool(std::uint64_t)> give_way) { give_way_ = std::move(give_way); }

  std::uint64_t promised() const;
  /// What can still be promised; 0 while the engine has not said what it has.
  std::uint64_t available() const;

 private:
  struct Held {
    std::uint64_t bytes = 0;  ///< its memory limit
    bool adjustable = true;
  };

  bool try_promise(std::uint64_t bytes, std::uint64_t total);
  Result<std::uint64_t> total();
  Result<void> promise(std::uint64_t bytes, const std::string& what, const std::stop_token& cancel);
  void release(std::uint64_t bytes);
  void remove_leftovers();

  engine::Engine& behind_;
  std::function<bool(std::uint64_t)> give_way_;
  std::condition_variable_any released_;
  mutable std::mutex mutex_;  ///< guards what follows; never held while the engine works
  std::uint64_t total_;
  std::uint64_t promised_ = 0;
  std::map<std::string, Held> held_;  ///< by container
  std::set<std::string> leftovers_;   ///< whose removal failed
};

}  // namespace codebox::sandbox
