#pragma once
#include <filesystem>
#include <memory>

#include "base/result.hpp"
#include "plugin/language.hpp"
#include "plugin/signature.hpp"

namespace codebox::plugin {

/// Loads every *.so of `folder` in the plugin host child and gives what it found; one bad plugin is a
/// Refusal, never a failure of the others. A failure means that the folder cannot be read or the child cannot
/// be started. `program` is the codebox executable, which is run as "plugin-host" without environment,
/// descriptors or secrets.
/// `before` is what the folder held when it was read last: files that have not changed are not loaded again,
/// a language that is there already keeps its names, and a file whose new version is refused keeps the old.
/// Blocks while the children run; any thread.
Result<std::shared_ptr<const Registry>> load_folder(const std::filesystem::path& program,
                                                    const std::filesystem::path& folder,
                                                    const Registry& before = {}, TrustedKeys keys = {});

/// The body of the child: reads the sealed library from a descriptor, writes the descriptor as JSON. Exit
/// status.
int plugin_host_main(int argc, char** argv);

}  // namespace codebox::plugin
