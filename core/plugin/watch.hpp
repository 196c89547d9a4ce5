#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>

#include "base/fd.hpp"

namespace codebox::plugin {

/// Tells when files of a folder were completed, renamed, removed or given other rights; a folder that is
/// exchanged for another is followed. Owned by app. One thread of its own, on which `changed` is called: once
/// at the start, then after each burst of changes; with true where somebody asked, and everything is to be
/// looked at again.
class Watch {
 public:
  using Changed = std::function<void(bool asked)>;
  Watch(std::filesystem::path folder, Changed changed);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Has `changed` called soon; any thread.
  void ask();

 private:
  void run(const std::stop_token& stop);
  void attach();
  /// Waits for an event, at most so long; takes in all that are there. False where nothing came.
  bool wait(int milliseconds);
  bool take_events();
  void settle(const std::stop_token& stop);

  const std::filesystem::path folder_;
  const Changed changed_;
  const Fd wake_;
  Fd events_;
  bool attached_ = false;
  bool told_ = false;  ///< that it cannot be watched
  std::atomic<bool> asked_{false};
  std::jthread thread_;
};

}  // namespace codebox::plugin
