#pragma once
#include <sys/types.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "base/fd.hpp"
#include "base/result.hpp"

namespace codebox::engine {

/// Podman's own service as a child of the launcher, for machines where no engine runs: with a containers.conf
/// of ours, and Podman's usual storage, so that images which a person pulled or built are there. Started when
/// it is first asked for and again when it ended; it ends with this object, and with the launcher's process
/// however that ends. Owned by the Finder; any thread.
class OwnPodman {
 public:
  explicit OwnPodman(std::filesystem::path folder) : folder_(std::move(folder)) {}
  OwnPodman(const OwnPodman&) = delete;
  OwnPodman& operator=(const OwnPodman&) = delete;
  ~OwnPodman();

  /// Where it listens.
  Result<std::string> socket();
  /// A sentence on why it does not serve us.
  std::string explain(const std::string& why) const;

 private:
  Result<std::string> begin(std::unique_lock<std::mutex>& lock);
  Result<void> prepare() const;
  Result<Fd> listen();
  void keep(const std::string& program, Fd listener);

  const std::filesystem::path folder_;
  std::mutex mutex_;  ///< guards what follows
  std::condition_variable changed_;
  std::string path_;
  pid_t child_ = -1;  ///< -1 while none runs
  bool starting_ = false;
  std::thread keeper_;  ///< waits for the child, which the kernel ends when this thread does
};

}  // namespace codebox::engine
