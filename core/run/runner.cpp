#include "run/runner.hpp"

#include "base/log.hpp"
#include "base/text.hpp"
#include "run/call.hpp"
#include "run/environment.hpp"
#include "run/layer_key.hpp"
#include "run/package_list.hpp"
#include "run/preparation.hpp"
#include "run/progress.hpp"

namespace codebox::run {
namespace {

std::string list_key(const plugin::LanguageSpec& language, const engine::ImageInfo& image) {
  return image.id + ' ' + language.id + ' ' + language.version +
         (language.list ? ' ' + text::join(language.list->argv, " ") : "");
}

}  // namespace

engine::CreateSpec Runner::create_spec(const plugin::LanguageSpec& language) const {
  const bool full = network_of(options_, language.id) == Network::full;
  return {image_of(options_, language), language.id, options_.runtime, options_.limits, full ? "full" : ""};
}

Outcome Runner::run(const plugin::LanguageSpec& language, const Arguments& arguments, const Caller& caller,
                    std::stop_token cancel) {
  Progress progress(events_ ? events_->open(caller) : nullptr, language.display_name);
  auto outcome = run(language, arguments, caller, cancel, progress);
  if (outcome) return std::move(*outcome);
  progress.not_run(outcome.failure());
  return not_run(outcome.failure());
}

Result<Outcome> Runner::run(const plugin::LanguageSpec& language, const Arguments& arguments,
                            const Caller& caller, const std::stop_token& cancel, Progress& progress) {
  engine::CreateSpec spec = create_spec(language);
  auto image = images_.recent(spec.image);
  if (!image) return image.failure();

  Call call(options_, language, arguments, files_, caller, *image, cancel, progress);
  auto inputs = call.find_inputs();
  if (!inputs) return inputs.failure();
  const std::string key = layer_key_of(language, *image, arguments);
  if (!key.empty()) spec.layer = layers_->find(key);
  auto waiting = layers_ ? layers_->caller() : nullptr;
  progress.queued();
  auto sandbox = acquire(spec, language, *image, call.deadline(), cancel);
  if (!sandbox) return sandbox.failure();
  const bool layered = !spec.layer.empty();
  log::debug("sandbox " + (*sandbox)->id() + " runs " + language.id + (layered ? " on a package layer" : ""));
  if (auto prepared = call.prepare(**sandbox, *inputs, layered); !prepared) return prepared.failure();
  waiting.reset();
  Outcome outcome = call.run(**sandbox);
  if (!key.empty() && !layered)
    layers_->want({key, language, spec, *image, arguments.libraries}, caller.user);
  return outcome;
}

std::string Runner::layer_key_of(const plugin::LanguageSpec& language, const engine::ImageInfo& image,
                                 const Arguments& arguments) const {
  const bool possible = layers_ && !arguments.libraries.empty() && language.packages &&
                        network_of(options_, language.id) != Network::none;
  return possible ? layer_key(language, image, options_, arguments.libraries) : std::string();
}

Result<std::unique_ptr<sandbox::Sandbox>> Runner::acquire(engine::CreateSpec& spec,
                                                          const plugin::LanguageSpec& language,
                                                          const engine::ImageInfo& image, Time deadline,
                                                          const std::stop_token& cancel) {
  if (!spec.layer.empty()) {
    auto files_only = preparation(language, image, options_);
    files_only.waiting = {};
    auto sandbox = sandboxes_.acquire_prepared(spec, files_only, deadline, cancel);
    if (sandbox || sandbox.failure().reason != Reason::not_found) return sandbox;
    // Somebody removed the layer, or it stands on an image that was made anew.
    layers_->lost(spec.layer);
    spec.layer.clear();
  }
  return sandboxes_.acquire_prepared(spec, preparation(language, image, options_), deadline, cancel);
}

void Runner::expect(const plugin::LanguageSpec& language) {
  const engine::CreateSpec spec = create_spec(language);
  if (auto image = images_.look(spec.image)) sandboxes_.expect(spec, preparation(language, *image, options_));
}

std::string Runner::contents(const plugin::LanguageSpec& language) {
  const auto image = images_.look(image_of(options_, language));
  if (!image) return {};
  if (!image->packages.empty()) return image->packages;
  const std::lock_guard lock(mutex_);
  const auto known = package_lists_.find(list_key(language, *image));
  return known == package_lists_.end() ? "" : package_names(known->second);
}

Outcome Runner::list_packages(const plugin::LanguageSpec& language, std::stop_token cancel) {
  if (!language.list) return {false, language.display_name + " has no package list.", {}, 0};
  const engine::CreateSpec spec = create_spec(language);
  auto image = images_.ready(spec.image);
  if (!image) return not_run(image.failure());
  const std::string key = list_key(language, *image);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = package_lists_.find(key); known != package_lists_.end())
      return {false, known->second, {}, 0};
  }
  const Time deadline = std::chrono::steady_clock::now() + options_.exec_timeout;
  auto sandbox = sandboxes_.acquire(spec, deadline, cancel);
  if (!sandbox) return not_run(sandbox.failure());
  if (auto put = put_support(**sandbox, language, deadline, cancel); !put) return not_run(put.failure());
  sandbox::Step step;
  step.argv = command_line(*language.list, language, {});
  step.env = environment(Phase::program, language, *image, options_);
  step.limit = time_of(*language.list, left(deadline));
  KeptOutput output(512 * 1024);
  const sandbox::StepEnd end = (*sandbox)->step(step, output, cancel);
  if (end.ending != sandbox::Ending::exited || end.code != 0) {
    return not_run(
        {Reason::engine, "The packages of the image " + text::quoted(spec.image) +
                             " could not be listed: " + text::quoted(output.err.text(nullptr), 400)});
  }
  std::string list = package_list(output.out.text(nullptr), language);
  const std::lock_guard lock(mutex_);
  if (package_lists_.size() > 64) package_lists_.clear();
  package_lists_[key] = list;
  return {false, std::move(list), {}, 0};
}

}  // namespace codebox::run
