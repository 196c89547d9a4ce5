#include <algorithm>

#include "app/doctor.hpp"
#include "app/plugins.hpp"
#include "base/text.hpp"
#include "plugin/host.hpp"

namespace codebox::app::doctor {
namespace {

constexpr const char* topic = "plugins";
using Languages = std::vector<std::shared_ptr<const plugin::LanguageSpec>>;

// Those of SANDBOX_LANGUAGES, or all of them.
Languages offered(Report& report, const Settings& settings, const plugin::Registry& registry) {
  if (settings.languages.empty()) return registry.languages;
  Languages kept;
  for (const std::string& id : settings.languages) {
    if (auto language = registry.find(id)) {
      kept.push_back(std::move(language));
      continue;
    }
    report.problem(topic, Failure{Reason::invalid, unprovided(settings, id)});
  }
  return kept;
}

}  // namespace

Languages look_at_plugins(Report& report, const Settings& settings, const std::filesystem::path& program) {
  auto keys = trusted_keys(settings);
  if (!keys) {
    report.problem(topic, keys.failure());
    return {};
  }
  auto loaded = plugin::load_folder(program, settings.plugin_dir, {}, std::move(*keys));
  if (!loaded) {
    report.problem(topic, loaded.failure());
    return {};
  }
  for (const plugin::Refusal& refusal : (*loaded)->refused) {
    report.warn(topic, "The plugin " + text::quoted(refusal.file) + " is left out (" + refusal.finding +
                           "): " + refusal.reason);
  }
  for (const std::string& doubt : language_doubts(settings, **loaded)) report.warn("settings", doubt);
  Languages languages = offered(report, settings, **loaded);
  if (languages.empty()) {
    report.problem(topic, "No language is offered: PLUGIN_DIR " + text::quoted(settings.plugin_dir.string()) +
                              " must hold a plugin that can be loaded.");
    return languages;
  }
  std::vector<std::string> ids;
  for (const auto& language : languages) ids.push_back(language->id + " " + language->version);
  report.ok(topic, "Offered: " + text::join(ids, ", ") + ".");
  return languages;
}

}  // namespace codebox::app::doctor
