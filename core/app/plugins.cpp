#include "app/plugins.hpp"

#include <algorithm>
#include <cctype>

#include "app/graph.hpp"
#include "base/text.hpp"
#include "plugin/host.hpp"

namespace codebox::app {
namespace {

using Languages = std::vector<std::shared_ptr<const plugin::LanguageSpec>>;

std::string no_plugin(const Settings& settings) {
  return ", but no plugin in " + text::quoted(settings.plugin_dir.string()) + " provides it";
}

std::string in_capitals(std::string id) {
  std::transform(id.begin(), id.end(), id.begin(), [](unsigned char c) { return std::toupper(c); });
  return id;
}

// The id that `wrong` is an alias of, or looks like; empty where it looks like none.
std::string likely_id(const std::string& wrong, const plugin::Registry& registry) {
  std::string best;
  std::size_t best_distance = wrong.size() / 2 + 1;
  for (const plugin::FileSeen& file : registry.files) {
    if (!file.language) continue;
    const auto& aliases = file.language->aliases;
    const bool alias = std::find(aliases.begin(), aliases.end(), wrong) != aliases.end();
    const std::size_t distance = alias ? 0 : text::distance(wrong, file.language->id);
    if (distance < best_distance) {
      best_distance = distance;
      best = file.language->id;
    }
  }
  return best;
}

// Narrows `registry` to what SANDBOX_LANGUAGES names, and gives the names that nothing stands for.
std::vector<std::string> narrow(plugin::Registry& registry, const Settings& settings) {
  std::vector<std::string> unknown;
  if (settings.languages.empty()) return unknown;
  Languages kept;
  for (const std::string& id : settings.languages) {
    auto language = registry.find(id);
    if (!language) {
      unknown.push_back(id);
    } else if (std::find(kept.begin(), kept.end(), language) == kept.end()) {
      kept.push_back(std::move(language));
    }
  }
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a->id < b->id; });
  registry.languages = std::move(kept);
  return unknown;
}

const plugin::FileSeen* same_as_before(const plugin::FileSeen& file, const plugin::Registry& before) {
  const auto at = std::find_if(before.files.begin(), before.files.end(),
                               [&](const plugin::FileSeen& old) { return old.name == file.name; });
  return at == before.files.end() ? nullptr : &*at;
}

// What an operator must read about files that are new or other ones than before.
void tell_faults(const plugin::Registry& now, const plugin::Registry& before) {
  for (const plugin::Refusal& refusal : now.refused) {
    const auto told = std::any_of(before.refused.begin(), before.refused.end(), [&](const auto& old) {
      return old.file == refusal.file && old.reason == refusal.reason && old.kept == refusal.kept;
    });
    if (told) continue;
    log::warn("plugin " + text::quoted(refusal.file) +
              (refusal.kept ? " stays as it was, its new version is left out (" : " is left out (") +
              refusal.finding + "): " + refusal.reason);
  }
  for (const plugin::FileSeen& file : now.files) {
    const auto* old = same_as_before(file, before);
    if (old != nullptr && old->language == file.language) continue;
    for (const plugin::Finding& remark : file.remarks)
      log::warn("plugin " + text::quoted(file.name) + " (" + remark.id + "): " + remark.reason);
  }
}

// What is different for callers; false where nothing is.
bool tell_changes(const plugin::Registry& now, const plugin::Registry& before) {
  bool any = false;
  const auto tell = [&](const plugin::LanguageSpec& language, const char* what) {
    log::info("plugin " + text::quoted(language.file) + ": " + language.display_name + ' ' +
              language.version + what);
    any = true;
  };
  const auto same_id = [](const Languages& languages, const std::string& id) {
    return std::find_if(languages.begin(), languages.end(), [&](const auto& one) { return one->id == id; });
  };
  for (const auto& language : now.languages) {
    const auto old = same_id(before.languages, language->id);
    if (old == before.languages.end()) {
      tell(*language, " joined");
    } else if (*old != language) {
      tell(*language, " takes the place of what was there");
    }
  }
  for (const auto& old : before.languages) {
    if (same_id(now.languages, old->id) == now.languages.end()) tell(*old, " left");
  }
  return any;
}

}  // namespace

std::string unprovided(const Settings& settings, const std::string& id) {
  return "SANDBOX_LANGUAGES names " + text::quoted(id) + no_plugin(settings) + ".";
}

std::vector<std::string> language_doubts(const Settings& settings, const plugin::Registry& registry) {
  std::vector<std::string> doubts;
  for (const auto& [name, id] : settings.of_languages) {
    const auto provides = [&id = id](const plugin::FileSeen& file) {
      return file.language && file.language->id == id;
    };
    if (std::any_of(registry.files.begin(), registry.files.end(), provides)) continue;
    const std::string likely = likely_id(id, registry);
    doubts.push_back(name + " is for the language " + text::quoted(id) + no_plugin(settings) +
                     (likely.empty() ? ": correct the name, or put the language's plugin there."
                                     : ": did you mean " + name.substr(0, name.size() - id.size()) +
                                           in_capitals(likely) + "?"));
  }
  return doubts;
}

Result<plugin::TrustedKeys> trusted_keys(const Settings& settings) {
  plugin::TrustedKeys keys;
  for (const std::string& file : settings.plugin_trusted_keys) {
    auto pem = read_file("PLUGIN_TRUSTED_KEYS", file);
    if (!pem) return pem.failure();
    if (auto added = keys.add(file, *pem); !added) return added.failure();
  }
  return keys;
}

Result<std::shared_ptr<const plugin::Registry>> load_plugins(const Settings& settings) {
  auto keys = trusted_keys(settings);
  if (!keys) return keys.failure();
  auto loaded = plugin::load_folder(own_program(), settings.plugin_dir, {}, std::move(*keys));
  if (!loaded) return loaded.failure();
  plugin::Registry kept = **loaded;
  tell_faults(kept, {});
  const auto unknown = narrow(kept, settings);
  if (!unknown.empty()) return Failure{Reason::invalid, unprovided(settings, unknown.front())};
  return std::make_shared<const plugin::Registry>(std::move(kept));
}

Result<std::shared_ptr<const plugin::Registry>> reload_plugins(const Settings& settings,
                                                               const plugin::Registry& before,
                                                               bool everything) {
  plugin::Registry known = before;
  if (everything) {
    for (plugin::FileSeen& file : known.files) file.identity.clear();
  }
  auto keys = trusted_keys(settings);
  if (!keys) return keys.failure();
  auto loaded = plugin::load_folder(own_program(), settings.plugin_dir, known, std::move(*keys));
  if (!loaded) return loaded.failure();
  plugin::Registry kept = **loaded;
  const auto unknown = narrow(kept, settings);
  tell_faults(kept, before);
  if (!tell_changes(kept, before) && kept.refused.empty() && before.refused.empty() &&
      kept.files.size() == before.files.size() && !everything) {
    return std::shared_ptr<const plugin::Registry>();
  }
  for (const std::string& id : unknown) log::warn(unprovided(settings, id));
  return std::make_shared<const plugin::Registry>(std::move(kept));
}

}  // namespace codebox::app
