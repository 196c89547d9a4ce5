#pragma once
#include <chrono>
#include <filesystem>

#include "base/fd.hpp"
#include "base/result.hpp"

namespace codebox::app {

/// Holds STATE_DIR for this server until the descriptor is closed or the process ends, however it ends. A
/// server sweeps what an earlier one of the same instance left behind, sandboxes and half uploads: of one
/// that still runs it would take those in use. Waits so long for one that is just ending. Where the file
/// system knows no locks, the descriptor is invalid, and the log says so. Blocks on the calling thread.
Result<Fd> lock_state(const std::filesystem::path& state_dir, std::chrono::milliseconds patience);

}  // namespace codebox::app
