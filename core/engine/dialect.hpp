#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "base/result.hpp"
#include "engine/api.hpp"
#include "engine/engine.hpp"

namespace codebox::engine {

/// All that differs between engines that serve Docker's API, as plain values and answers to questions.
/// Nothing outside this pair asks for an engine's name. Immutable; any thread.
struct Dialect {
  EngineInfo info;
  std::string prefix;  ///< version part of every target, for example "/v1.41"
  std::string architecture;  ///< as images name it, for example "amd64"; empty where it is not told

  struct Request {
    std::string target;
    std::string body;
  };
  /// The options of a writable place of so many bytes.
  std::string tmpfs(std::uint64_t size) const;
  /// The same for /dev/shm; empty where only the engine's own mount of it has a size.
  std::string shared_memory(std::uint64_t size) const;
  /// Places where the engine would put memory without a size into a read-only root, and the options under
  /// which nobody writes there; path -> options.
  std::map<std::string, std::string> closed_places() const;
  /// Limits of each process, name -> value, in a sandbox of so many processes.
  std::map<std::string, std::int64_t> ulimits(std::int64_t pids) const;
  /// How a running container gets another memory limit, swap included.
  Request memory_update(const std::string& id, std::uint64_t bytes) const;
  /// Whether a refusal to remove says that there is nothing left to do.
  bool removed(const Api::Answer& answer) const;
  /// Whether it says that the container is just ending by itself, so that asking again soon will do.
  bool ending(const Api::Answer& answer) const;
  bool podman() const { return info.name == "podman"; }
};

/// An architecture as images name it, from what a kernel calls it. Pure; any thread.
std::string common_name(const std::string& architecture);

/// Asks the engine what it is. One that would not apply limits is refused, by name.
Result<Dialect> recognise(const Api& api);

}  // namespace codebox::engine
