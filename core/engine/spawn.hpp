#pragma once
#include <sys/types.h>

#include <string>

#include "base/fd.hpp"
#include "base/result.hpp"

namespace codebox::engine {

/// A started launcher and our end of its control socket. Movable, one owner.
struct Spawned {
  pid_t pid = -1;
  Fd control;
};

/// A file in memory that holds `content`; no descriptor where no memory or number is left.
Fd memory_file(const std::string& content);

/// Runs `program launcher 3 4` with nothing of ours but stderr: no signal mask, no descriptor, and of the
/// environment only what an engine may need. The text `config` reaches it as a file. Any thread.
Result<Spawned> spawn_launcher(const std::string& program, const std::string& config);

}  // namespace codebox::engine
