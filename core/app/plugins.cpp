#include <algorithm>

#include "app/graph.hpp"
#include "base/text.hpp"
#include "plugin/host.hpp"

namespace codebox::app {

Result<std::shared_ptr<const plugin::Registry>> load_plugins(const Settings& settings) {
  auto loaded = plugin::load_folder(own_program(), settings.plugin_dir);
  if (!loaded) return loaded.failure();
  for (const plugin::Refusal& refusal : (*loaded)->refused) {
    log::warn("plugin " + text::quoted(refusal.file) + " is left out (" + refusal.finding +
              "): " + refusal.reason);
  }
  if (settings.languages.empty()) return loaded;
  plugin::Registry kept;
  kept.refused = (*loaded)->refused;
  for (const std::string& id : settings.languages) {
    const auto language = (*loaded)->find(id);
    if (!language) {
      return Failure{Reason::invalid, "SANDBOX_LANGUAGES names " + text::quoted(id) + ", but no plugin in " +
                                          text::quoted(settings.plugin_dir.string()) + " provides it."};
    }
    // An id and its alias are one language.
    if (std::find(kept.languages.begin(), kept.languages.end(), language) == kept.languages.end())
      kept.languages.push_back(language);
  }
  std::sort(kept.languages.begin(), kept.languages.end(),
            [](const auto& a, const auto& b) { return a->id < b->id; });
  return std::make_shared<const plugin::Registry>(std::move(kept));
}

}  // namespace codebox::app
