#pragma once
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/bridge.hpp"
#include "engine/daemon.hpp"
#include "engine/layers.hpp"
#include "engine/prepare.hpp"

namespace codebox::engine {

/// The containers that this launcher made, and nothing but those. Owned by the launcher; any thread,
/// concurrently.
class Containers {
 public:
  Containers(std::string instance, Preparer& preparer, const Layers& layers)
      : instance_(instance), preparer_(preparer), layers_(layers), bridge_(std::move(instance)) {}

  Result<Container> start(const Daemon& daemon, const CreateSpec& spec, const std::stop_token& stop);
  Result<void> set_memory(const Daemon& daemon, const std::string& id, std::uint64_t bytes);
  Result<ContainerState> state(const Daemon& daemon, const std::string& id);
  Result<void> remove(const Daemon& daemon, const std::string& id);

  /// The kernel ended something in this sandbox for want of memory.
  void out_of_memory(const std::string& id);
  const std::string& instance() const { return instance_; }

  /// Removes what an earlier launcher of this instance left behind.
  void sweep(const Daemon& daemon);
  /// Will be removed when the engine answers again.
  void postpone(const std::string& id);
  /// Whether something could not be removed.
  bool owing() const;
  /// Tries again to remove what could not be removed; false when the engine does not answer.
  bool retry(const Daemon& daemon);
  /// The ids of all that is still there.
  std::vector<std::string> ids() const;
  /// Removes the instance's network, when all of its containers are gone.
  void remove_network(const Daemon& daemon) { bridge_.remove(daemon); }

 private:
  Result<std::string> create(const Daemon& daemon, const CreateSpec& spec);
  Result<std::string> create_on(const Daemon& daemon, const CreateSpec& spec, const Image& base,
                                const std::string& network);
  Result<Container> attach_and_start(const Daemon& daemon, const std::string& id,
                                     const std::stop_token& stop);
  Result<void> destroy(const Daemon& daemon, const std::string& id);
  Result<bool> left_by_us(const Daemon& daemon, const std::string& id) const;
  Result<void> known(const std::string& id) const;
  void forget(const std::string& id);

  const std::string instance_;
  Preparer& preparer_;
  const Layers& layers_;
  Bridge bridge_;
  mutable std::mutex mutex_;                 ///< guards what follows; never held while the engine works
  std::map<std::string, std::string> made_;  ///< id -> name
  std::set<std::string> names_;              ///< also of those being created, which a sweep must leave alone
  std::set<std::string> fixed_;              ///< ids whose memory limit stays as it is
  std::set<std::string> starved_;            ///< ids of which the engine said that memory ran out
  std::set<std::string> stuck_;              ///< ids whose removal failed
};

}  // namespace codebox::engine
