#pragma once
#include <mutex>
#include <string>

#include "base/result.hpp"
#include "engine/daemon.hpp"

namespace codebox::engine {

/// The one network of this instance, for sandboxes of the mode `full`: made when the first of them starts,
/// removed with the launcher. Sandboxes on it reach what the host reaches, but not one another, and they have
/// no IPv6. Owned by the launcher's Containers; any thread.
class Bridge {
 public:
  explicit Bridge(std::string instance) : instance_(std::move(instance)) {}

  /// The network's id; it is made anew where somebody removed it.
  Result<std::string> ready(const Daemon& daemon);
  /// Removes the networks that earlier launchers of this instance left.
  void sweep(const Daemon& daemon);
  /// Removes our own, once its containers are gone.
  void remove(const Daemon& daemon);

 private:
  Result<std::string> make(const Daemon& daemon) const;

  const std::string instance_;
  std::mutex mutex_;  ///< also held while the engine works, so that a sweep never sees a network half made
  std::string id_;
};

}  // namespace codebox::engine
