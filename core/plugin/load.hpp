#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/fd.hpp"
#include "base/result.hpp"
#include "plugin/finding.hpp"
#include "plugin/gate.hpp"
#include "plugin/language.hpp"

namespace codebox::plugin {

/// What became of one file of the plugin folder. Plain value.
struct Loaded {
  Checked<LanguageSpec> language;
  std::vector<Finding> remarks;  ///< what does not keep it out
};

/// The whole way of one file: the gate, then a plugin host child of its own, then the rules once more. The
/// server's start, a reload and `codebox plugin check` all take it. A failure means that no child could be
/// started.
Result<Loaded> load_library(const std::filesystem::path& program, const Gate& gate, const std::string& name);

/// As above, for a file anywhere: the folder that it lies in passes the gate, too. Reason::invalid where the
/// folder cannot be read.
Result<Loaded> load_file(const std::filesystem::path& program, const std::filesystem::path& file,
                         TrustedKeys keys = {});

}  // namespace codebox::plugin
