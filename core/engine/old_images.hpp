#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/daemon.hpp"

namespace codebox::engine {

/// Removes the prepared images that this instance made and no longer needs, and what servers that are gone
/// left on the engine. Prepared images are shared by what is in them: one that another server still wanted is
/// made again by it. Owned by the launcher's Preparer; any thread.
class OldImages {
 public:
  /// `instance` is the launcher's; one beside a server removes nothing.
  OldImages(std::string instance, std::int64_t now);

  /// A sandbox is about to start from this prepared image.
  void used(const std::string& reference, std::int64_t now);
  /// The ids of those in the engine's list that nobody needs; `digest` is of what is added to images today.
  std::vector<std::string> needless(const nlohmann::json& images, const std::string& digest,
                                    std::int64_t now) const;
  /// Removes them, but for those that a container or another image stands on.
  void remove(const Daemon& daemon, const std::string& digest) const;

 private:
  const std::string owner_;
  const bool beside_;
  const std::int64_t started_;
  mutable std::mutex mutex_;  ///< guards what follows
  std::map<std::string, std::int64_t> used_;
};

}  // namespace codebox::engine
