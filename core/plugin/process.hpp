#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace codebox::plugin {

/// A descriptor of ours and the number that a child gets it under. Plain value.
struct Passed {
  int from = -1;
  int as = -1;
};

/// Starts `program plugin-host words...` in a process group of its own, with no environment, every signal as
/// at birth, and no descriptor but /dev/null as its first three and those of `passed`, numbered upwards
/// from 3. Any thread.
Result<pid_t> start_host(const std::filesystem::path& program, const std::vector<std::string>& words,
                         const std::vector<Passed>& passed);

/// How a child ended. Plain value.
struct Ended {
  int status = 0;       ///< as of waitpid
  bool killed = false;  ///< it did not end by itself in time
};

/// Waits until the child ends by itself, until the deadline; then it and whatever it started are gone.
Ended end_host(pid_t pid, Time deadline);

}  // namespace codebox::plugin
