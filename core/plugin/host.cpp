#include "plugin/host.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "plugin/child.hpp"
#include "plugin/descriptor.hpp"
#include "plugin/gate.hpp"
#include "plugin/spec_json.hpp"

namespace codebox::plugin {
namespace {

/// What the child found, if its answer is a finding and one that a child may have.
std::optional<Finding> reported(const std::string& answer) {
  constexpr std::array known = {"symbol", "entry", "declined", "null", "major", "minor", "rule", "crashed"};
  const auto json = nlohmann::json::parse(answer, nullptr, false);
  if (!json.is_object() || !json.contains("finding")) return std::nullopt;
  const auto id = json.value("finding", nlohmann::json());
  const auto reason = json.value("reason", nlohmann::json());
  if (!id.is_string() || !reason.is_string()) return std::nullopt;
  const auto word = id.get<std::string>();
  if (std::find(known.begin(), known.end(), word) == known.end()) return std::nullopt;
  return Finding{word, std::string(text::prefix(text::one_line(reason.get<std::string>()), 600))};
}

Checked<LanguageSpec> judge(const std::string& answer) {
  if (auto fault = reported(answer)) return *fault;
  auto spec = decode(answer);
  if (!spec)
    return Finding{"rule", "The plugin host's answer is not a language: " + spec.failure().message + "."};
  if (auto broken = broken_rule(*spec); !broken.empty()) return Finding{"rule", broken};
  return std::move(*spec);
}

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
  return std::nullopt;
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
                                                    const std::filesystem::path& folder) {
  auto gate = Gate::open(folder);
  if (!gate) return gate.failure();
  auto names = gate->names();
  if (!names) return names.failure();
  auto registry = std::make_shared<Registry>();
  for (const auto& name : *names) {
    const auto refuse = [&](const Finding& fault) {
      registry->refused.push_back({name, fault.id, fault.reason});
    };
    const auto library = gate->admit(name);
    if (const auto* fault = finding(library)) {
      refuse(*fault);
      continue;
    }
    const auto answer = describe_library(program, std::get<Fd>(library));
    if (!answer) return answer.failure();
    if (const auto* fault = finding(*answer)) {
      refuse(*fault);
      continue;
    }
    auto spec = judge(std::get<std::string>(*answer));
    if (const auto* fault = finding(spec)) {
      refuse(*fault);
      continue;
    }
    auto language = std::make_shared<LanguageSpec>(std::move(std::get<LanguageSpec>(spec)));
    language->file = name;
    if (const auto fault = clash(*registry, *language)) {
      refuse(*fault);
      continue;
    }
    registry->languages.push_back(std::move(language));
  }
  std::sort(registry->languages.begin(), registry->languages.end(),
            [](const auto& a, const auto& b) { return a->id < b->id; });
  return std::shared_ptr<const Registry>(std::move(registry));
}

}  // namespace codebox::plugin
