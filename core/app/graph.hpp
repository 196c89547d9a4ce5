#pragma once
#include <memory>
#include <string>

#include "app/settings.hpp"
#include "engine/engine.hpp"
#include "openwebui/files.hpp"
#include "plugin/language.hpp"
#include "proof/proven_sandboxes.hpp"
#include "run/runner.hpp"
#include "sandbox/admission.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/warm_pool.hpp"

namespace codebox::app {

/// The parts that every way of running a program needs, built from settings. Owned by a command; destroyed
/// in reverse order.
struct Graph {
  std::shared_ptr<const plugin::Registry> registry;
  std::unique_ptr<engine::Engine> engine;
  std::unique_ptr<sandbox::Admission> admission;
  std::unique_ptr<run::Images> images;
  std::unique_ptr<sandbox::Sandboxes> sandboxes;
  sandbox::WarmPool* pool = nullptr;               ///< the same as `sandboxes`, where some wait for calls
  std::unique_ptr<sandbox::Sandboxes> tried;       ///< in which limits are proven
  std::unique_ptr<proof::ProvenSandboxes> proven;  ///< before `sandboxes`; only where a server runs
  std::unique_ptr<run::PackageLayers> layers;
  std::unique_ptr<run::Runner> runner;
};

/// What the running programs of this instance are called, and whether older ones of that name are swept.
/// Plain value.
struct Instance {
  std::string name;
  bool sweep = true;
  int keeper = -1;                                            ///< what become_server_user gave
  std::shared_ptr<const plugin::Registry> plugins = nullptr;  ///< in place of PLUGIN_DIR's
};

/// Builds the graph. `files` and `events` outlive it. With a clock, which outlives it too, sandboxes wait for
/// calls.
Result<std::unique_ptr<Graph>> build_graph(const Settings& settings, const Instance& instance,
                                           openwebui::Files& files, const Clock* clock = nullptr,
                                           openwebui::ChatEvents* events = nullptr);

/// Has the limits of sandboxes tried in the background, in an image that is there already; otherwise the
/// first call does.
void begin_proof(Graph& graph, const Settings& settings);

/// The container engine of the settings, through a launcher of its own.
Result<std::unique_ptr<engine::Engine>> start_engine(const Settings& settings, const Instance& instance);

/// This server's lasting name, made once and kept in STATE_DIR.
Result<std::string> instance_name(const std::filesystem::path& state_dir);

std::filesystem::path own_program();

/// A whole small file; Reason::invalid with a sentence that names `setting` when it cannot be read.
Result<std::string> read_file(const std::string& setting, const std::string& path);

}  // namespace codebox::app
