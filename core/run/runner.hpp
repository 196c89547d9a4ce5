#pragma once
#include <map>
#include <mutex>
#include <stop_token>

#include "base/caller.hpp"
#include "openwebui/chat_events.hpp"
#include "openwebui/files.hpp"
#include "plugin/language.hpp"
#include "run/arguments.hpp"
#include "run/images.hpp"
#include "run/options.hpp"
#include "run/package_layers.hpp"
#include "run/report.hpp"
#include "sandbox/sandbox.hpp"

namespace codebox::run {

class Progress;

/// The image that programs of `language` run in: the operator's choice, or the plugin's.
inline const std::string& image_of(const Options& options, const plugin::LanguageSpec& language) {
  const auto own = options.images.find(language.id);
  return own == options.images.end() ? language.image : own->second;
}

/// Runs one call from arguments to result text: inputs, install, compile, run, outputs, each in a sandbox of
/// its own that no other call ever sees. Owned by app; any thread, concurrently.
class Runner {
 public:
  Runner(const Options& options, Images& images, sandbox::Sandboxes& sandboxes, openwebui::Files& files,
         PackageLayers* layers = nullptr, openwebui::ChatEvents* events = nullptr)
      : options_(options),
        images_(images),
        sandboxes_(sandboxes),
        files_(files),
        layers_(layers),
        events_(events) {}

  /// Blocks until the call is done, at most its limit plus a second.
  Outcome run(const plugin::LanguageSpec& language, const Arguments& arguments, const Caller& caller,
              std::stop_token cancel);
  /// Has sandboxes for `language` wait for calls, where its image is there.
  void expect(const plugin::LanguageSpec& language);
  /// What list_<id>_packages answers; kept per image id.
  Outcome list_packages(const plugin::LanguageSpec& language, std::stop_token cancel);
  /// What the image of `language` has, as one line: what its label says, or else its list once somebody has
  /// asked for that. Empty while nothing is known. Asks the engine.
  std::string contents(const plugin::LanguageSpec& language);

 private:
  /// A failure means that nothing ran.
  Result<Outcome> run(const plugin::LanguageSpec& language, const Arguments& arguments, const Caller& caller,
                      const std::stop_token& cancel, Progress& progress);
  engine::CreateSpec create_spec(const plugin::LanguageSpec& language) const;
  std::string layer_key_of(const plugin::LanguageSpec& language, const engine::ImageInfo& image,
                           const Arguments& arguments) const;
  Result<std::unique_ptr<sandbox::Sandbox>> acquire(engine::CreateSpec& spec,
                                                    const plugin::LanguageSpec& language,
                                                    const engine::ImageInfo& image, Time deadline,
                                                    const std::stop_token& cancel);

  const Options& options_;
  Images& images_;
  sandbox::Sandboxes& sandboxes_;
  openwebui::Files& files_;
  PackageLayers* const layers_;          // null for none
  openwebui::ChatEvents* const events_;  // likewise
  std::mutex mutex_;
  std::map<std::string, std::string> package_lists_;  // image id and plugin -> text
};

}  // namespace codebox::run
