#pragma once
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.hpp"
#include "sandbox/warm_pool.hpp"

namespace codebox::app {

/// What waits for calls on a running server, as it tells others on this machine.
struct PoolReport {
  std::vector<sandbox::WarmPool::State> kinds;
  std::uint64_t limit = 0;      ///< SANDBOX_POOL_MEMORY
  std::uint64_t promised = 0;   ///< memory of all sandboxes' limits
  std::uint64_t available = 0;  ///< that can still be promised
};

/// The file `pool` in STATE_DIR: the server's report, written when it changes, at most once a second. It is
/// locked as long as the server lives, so that what a dead one left is not taken for news. Owned by serve();
/// one thread of its own.
class PoolFile {
 public:
  PoolFile(const std::filesystem::path& state_dir, std::function<PoolReport()> look);
  ~PoolFile();

  /// The report of the server that runs with this STATE_DIR; nothing where none does.
  static std::optional<PoolReport> read(const std::filesystem::path& state_dir);

 private:
  void write(const std::string& text) const;

  Fd file_;
  const std::function<PoolReport()> look_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace codebox::app
