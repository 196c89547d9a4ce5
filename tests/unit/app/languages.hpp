#pragma once
#include <memory>
#include <string>
#include <vector>

#include "plugin/language.hpp"

namespace codebox::app::test {

/// A registry as the plugin folder would yield it, one file for each of these languages.
inline plugin::Registry languages_of(const std::vector<std::string>& ids) {
  plugin::Registry registry;
  for (const std::string& id : ids) {
    auto language = std::make_shared<plugin::LanguageSpec>();
    language->id = id;
    language->aliases = {id.substr(0, 2)};
    registry.languages.push_back(language);
    registry.files.push_back({id + ".so", "1", language, {}, {}, true});
  }
  return registry;
}

}  // namespace codebox::app::test
