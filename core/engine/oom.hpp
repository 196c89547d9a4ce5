#pragma once
#include <stop_token>

#include "engine/containers.hpp"
#include "engine/daemon.hpp"

namespace codebox::engine {

/// Listens until `stop` for the engine's word that memory ran out in a sandbox. While the sandbox lives, its
/// state alone does not tell (Docker 20.10 sets OOMKilled only when the first process ends). Blocks; on a
/// thread of the desk's.
void watch_memory(Finder& finder, Containers& containers, const std::stop_token& stop);

}  // namespace codebox::engine
