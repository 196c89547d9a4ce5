#pragma once
#include <atomic>
#include <ctime>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "engine/daemon.hpp"
#include "engine/image.hpp"
#include "engine/old_images.hpp"

namespace codebox::engine {

/// Makes prepared images: a base image with our agent (and the operator's certificates) added, once per base,
/// agent and certificates. Owned by the launcher; any thread, and starts at the same time prepare once.
class Preparer {
 public:
  Preparer(std::string agent_file, std::string certificates, std::string instance)
      : agent_file_(std::move(agent_file)),
        certificates_(std::move(certificates)),
        instance_(std::move(instance)),
        old_(instance_, std::time(nullptr)) {}

  /// The prepared image's reference; it was there a moment ago.
  Result<std::string> prepared(const Daemon& daemon, const Image& base);
  /// Removes those that nobody needs any more.
  void remove_old(const Daemon& daemon);
  /// Whether a container is being filled right now; it carries the instance's label, and a sweep must not
  /// take it.
  bool working() const { return working_ > 0; }
  /// Keeps working() true for as long as it is held.
  std::shared_ptr<void> busy() {
    ++working_;
    return {nullptr, [this](void*) { --working_; }};
  }

 private:
  struct Addition {
    std::string archive;
    std::string digest;
  };
  Result<std::shared_ptr<const Addition>> addition();
  Result<void> make(const Daemon& daemon, const Image& base, const Addition& added, const std::string& tag);
  std::shared_ptr<std::mutex> mutex_of(const std::string& tag);

  const std::string agent_file_;
  const std::string certificates_;
  const std::string instance_;
  OldImages old_;
  std::atomic<int> working_ = 0;
  std::mutex mutex_;  ///< guards what follows; never held while the engine works
  std::shared_ptr<const Addition> addition_;
  std::map<std::string, std::shared_ptr<std::mutex>> making_;
};

}  // namespace codebox::engine
