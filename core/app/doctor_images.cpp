#include <sys/utsname.h>

#include <algorithm>

#include "app/doctor.hpp"
#include "base/text.hpp"
#include "run/runner.hpp"

namespace codebox::app::doctor {
namespace {

// This machine's architecture as engines name it.
std::string own_architecture() {
  utsname name{};
  ::uname(&name);
  const std::string machine = name.machine;
  if (machine == "x86_64") return "amd64";
  if (machine == "aarch64") return "arm64";
  return machine;
}

void look_at(Report& report, engine::Engine& engine, const Settings& settings,
             const plugin::LanguageSpec& language) {
  const std::string topic = "image";
  const std::string reference = run::image_of(settings.run, language);
  const auto image = engine.image(reference);
  const std::string shown = "The image " + text::quoted(reference) + " of " + language.id;
  if (!image && image.failure().reason == Reason::not_found) {
    if (settings.run.pull == run::Pull::never) {
      return report.problem(
          topic, shown + " is missing and SANDBOX_PULL is never: build it with scripts/build-image " +
                     language.id + ", or load it.");
    }
    return report.warn(topic, shown +
                                  " is missing: the server pulls it when it starts, or build it with "
                                  "scripts/build-image " +
                                  language.id + ".");
  }
  if (!image) return report.problem(topic, image.failure());
  const std::string own = own_architecture();
  if (!image->architecture.empty() && image->architecture != own) {
    return report.problem(topic, shown + " is for " + image->architecture + ", and this machine is " + own +
                                     ": build or pull it for " + own + ".");
  }
  const auto& fit = language.architectures;
  if (!fit.empty() && std::find(fit.begin(), fit.end(), own) == fit.end()) {
    return report.problem(topic, "The plugin " + language.id + " is made for " + text::join(fit, ", ") +
                                     ", and this machine is " + own + ": leave it out of SANDBOX_LANGUAGES.");
  }
  report.ok(topic, shown + " is there, " + image->architecture + ", " + image->id.substr(0, 19) + ".");
}

}  // namespace

void look_at_images(Report& report, engine::Engine& engine, const Settings& settings,
                    const std::vector<std::shared_ptr<const plugin::LanguageSpec>>& languages) {
  for (const auto& language : languages) look_at(report, engine, settings, *language);
}

}  // namespace codebox::app::doctor
