#pragma once
#include <filesystem>
#include <string>

#include "base/fd.hpp"
#include "base/result.hpp"
#include "plugin/finding.hpp"

namespace codebox::plugin {

/// Runs `program plugin-host <descriptor>` on a sealed library, in a child with no environment and no
/// descriptor but the library and a pipe, and gives what it wrote: at most 4 MiB, within 10 seconds. A child
/// that crashed or spun is a finding; a failure means that no child could be started. The child and all of
/// its group are gone on return. Any thread.
Result<Checked<std::string>> describe_library(const std::filesystem::path& program, const Fd& library);

}  // namespace codebox::plugin
