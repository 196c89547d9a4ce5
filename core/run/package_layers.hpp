#pragma once
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "plugin/language.hpp"
#include "run/layer_store.hpp"
#include "run/options.hpp"
#include "sandbox/sandbox.hpp"

namespace codebox::run {

/// Installs package sets that calls asked for once more, in clean sandboxes off the calls' path, and has the
/// engine keep them as layers. No program and no file of a user is ever in one. Owned by app; any thread. One
/// thread of its own builds, one at a time, and waits while callers wait for theirs.
class PackageLayers {
 public:
  /// `folder` is for archives while they are written.
  PackageLayers(const Options& options, engine::Engine& engine, sandbox::Sandboxes& sandboxes,
                const Clock& clock, std::filesystem::path folder);
  ~PackageLayers();

  /// The layer that holds these packages, or empty.
  std::string find(const std::string& key) { return store_.use(key) ? key : std::string(); }
  /// The engine has it no more.
  void lost(const std::string& key) { store_.forget(key); }

  struct Wanted {
    std::string key;
    plugin::LanguageSpec language;
    engine::CreateSpec spec;
    engine::ImageInfo image;
    std::vector<std::string> libraries;
  };
  /// A call has just installed these: the next one shall find a layer, where the user's budget allows.
  void want(Wanted wanted, const std::string& user);

  /// While one is held, a caller waits for a sandbox or an install.
  std::shared_ptr<void> caller();

 private:
  void work(const std::stop_token& stop);
  /// False when the engine does not answer.
  bool load();
  void tidy();
  void wait_for_quiet(const std::stop_token& stop);
  Result<engine::Layer> build(const Wanted& wanted, const std::stop_token& stop);
  Result<std::uint64_t> pack(sandbox::Sandbox& sandbox, int archive, const std::stop_token& stop);

  const Options& options_;
  engine::Engine& engine_;
  sandbox::Sandboxes& sandboxes_;
  const Clock& clock_;
  const std::filesystem::path folder_;
  LayerStore store_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  std::deque<Wanted> queue_;
  std::size_t callers_ = 0;
  std::jthread thread_;
};

}  // namespace codebox::run
