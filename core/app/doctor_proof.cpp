#include "app/doctor.hpp"
#include "base/text.hpp"
#include "proof/prove.hpp"
#include "run/runner.hpp"

namespace codebox::app::doctor {
namespace {

constexpr const char* topic = "proof";
constexpr std::chrono::seconds longest{60};

}  // namespace

void look_at_proof(Report& report, engine::Engine& engine, const Settings& settings,
                   const std::vector<std::shared_ptr<const plugin::LanguageSpec>>& languages) {
  for (const auto& language : languages) {
    const std::string& image = run::image_of(settings.run, *language);
    if (!engine.image(image)) continue;
    const auto sandboxes = sandbox::cold_sandboxes(engine);
    const Time deadline = std::chrono::steady_clock::now() + longest;
    const auto checks = proof::prove(*sandboxes, image, settings.run.runtime, deadline, {});
    if (!checks) return report.problem(topic, checks.failure());
    for (const auto& check : *checks) {
      if (check.holds) {
        report.ok(topic,
                  check.name + (check.offered ? " holds: " : " is not offered: ") + check.sentence + ".");
      } else if (settings.proof == proof::Demand::warn) {
        report.warn(topic, check.name + " does not hold: " + check.sentence + ".");
      } else {
        report.problem(
            topic, check.name + " does not hold: " + check.sentence + ". No program runs (SANDBOX_PROOF).");
      }
    }
    return;
  }
  report.warn(topic, "No limit was tried in a sandbox, since no image is there.");
}

}  // namespace codebox::app::doctor
