#include "plugin/host.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "plugin/gate.hpp"
#include "plugin/load.hpp"

namespace codebox::plugin {
namespace {

std::vector<std::string> names_of(const LanguageSpec& spec) {
  std::vector<std::string> names = spec.aliases;
  names.insert(names.begin(), spec.id);
  return names;
}

/// The first plugin with a name keeps it; the second is refused whole.
std::optional<Finding> clash(const Registry& registry, const LanguageSpec& added) {
  for (const auto& name : names_of(added)) {
    if (const auto other = registry.find(name)) {
      return Finding{"clash", "The language name " + text::quoted(name) + " of " + text::quoted(added.file) +
                                  " is already taken by " + text::quoted(other->file) +
                                  "; remove one of the two."};
    }
  }
  for (const auto& other : registry.languages) {
    for (const Tool& tool : added.tools) {
      if (std::any_of(other->tools.begin(), other->tools.end(),
                      [&](const Tool& one) { return one.name == tool.name; }))
        return Finding{"clash", "The tool " + text::quoted(tool.name) + " of " + text::quoted(added.file) +
                                    " is already one of " + text::quoted(other->file) +
                                    "; remove one of the two."};
    }
  }
  return std::nullopt;
}

const FileSeen* seen(const Registry& registry, const std::string& name) {
  const auto at = std::find_if(registry.files.begin(), registry.files.end(),
                               [&](const FileSeen& file) { return file.name == name; });
  return at == registry.files.end() ? nullptr : &*at;
}

/// Files that a language came from before go first, so that a newcomer cannot take a name away.
std::vector<std::string> in_order(std::vector<std::string> names, const Registry& before) {
  std::stable_partition(names.begin(), names.end(), [&](const std::string& name) {
    const auto* file = seen(before, name);
    return file != nullptr && file->offered;
  });
  return names;
}

/// What the file is now. One that is the same as before is not loaded again.
Result<FileSeen> look_at(const std::filesystem::path& program, const Gate& gate, const std::string& name,
                         const Registry& before) {
  FileSeen file;
  file.name = name;
  file.identity = gate.identity(name);
  const auto* old = seen(before, name);
  if (old != nullptr && !file.identity.empty() && old->identity == file.identity) {
    file = *old;
    file.offered = false;
    return file;
  }
  auto loaded = load_library(program, gate, name);
  if (!loaded) return loaded.failure();
  file.remarks = std::move(loaded->remarks);
  if (auto* fault = std::get_if<Finding>(&loaded->language)) {
    file.fault = std::move(*fault);
    // A broken new version keeps the old.
    if (old != nullptr && old->offered) file.language = old->language;
  } else {
    file.language = std::make_shared<LanguageSpec>(std::move(std::get<LanguageSpec>(loaded->language)));
  }
  return file;
}

void add(Registry& registry, FileSeen file, const Registry& before) {
  auto fault = file.fault;
  if (file.language) {
    if (const auto taken = clash(registry, *file.language)) {
      fault = *taken;
      // The version before may still fit beside the others.
      const auto* old = seen(before, file.name);
      const bool keep = old != nullptr && old->offered && !clash(registry, *old->language);
      file.language = keep ? old->language : nullptr;
      file.identity.clear();  // looked at again whenever the others change
    }
  }
  file.offered = file.language != nullptr;
  if (file.language) registry.languages.push_back(file.language);
  if (!fault.id.empty()) registry.refused.push_back({file.name, fault.id, fault.reason, file.offered});
  registry.files.push_back(std::move(file));
}

}  // namespace

std::shared_ptr<const LanguageSpec> Registry::find(const std::string& id) const {
  const auto named = [&](const auto& language) { return language->id == id; };
  const auto known = [&](const auto& language) {
    return std::find(language->aliases.begin(), language->aliases.end(), id) != language->aliases.end();
  };
  auto at = std::find_if(languages.begin(), languages.end(), named);
  if (at == languages.end()) at = std::find_if(languages.begin(), languages.end(), known);
  return at == languages.end() ? nullptr : *at;
}

Result<std::shared_ptr<const Registry>> load_folder(const std::filesystem::path& program,
                                                    const std::filesystem::path& folder,
                                                    const Registry& before, TrustedKeys keys) {
  auto gate = Gate::open(folder, std::move(keys));
  if (!gate) return gate.failure();
  auto names = gate->names();
  if (!names) return names.failure();
  auto registry = std::make_shared<Registry>();
  for (const std::string& name : in_order(*names, before)) {
    auto looked_at = look_at(program, *gate, name, before);
    if (!looked_at) return looked_at.failure();
    add(*registry, std::move(*looked_at), before);
  }
  std::sort(registry->languages.begin(), registry->languages.end(),
            [](const auto& a, const auto& b) { return a->id < b->id; });
  return std::shared_ptr<const Registry>(std::move(registry));
}

}  // namespace codebox::plugin
