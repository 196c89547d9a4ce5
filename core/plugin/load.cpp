#include "plugin/load.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.hpp"
#include "plugin/child.hpp"
#include "plugin/descriptor.hpp"
#include "plugin/exports.hpp"
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
  if (auto broken = broken_rule(spec->tools); !broken.empty()) return Finding{"rule", broken};
  return std::move(*spec);
}

}  // namespace

Result<Loaded> load_library(const std::filesystem::path& program, const Gate& gate, const std::string& name) {
  auto library = gate.admit(name);
  if (const auto* fault = finding(library)) return Loaded{*fault, {}};
  Fd& sealed = std::get<Fd>(library);
  std::vector<Finding> remarks;
  if (auto exposed = needless_exports(sealed.get()); !exposed.id.empty()) remarks.push_back(exposed);
  const auto answer = describe_library(program, sealed);
  if (!answer) return answer.failure();
  if (const auto* fault = finding(*answer)) return Loaded{*fault, std::move(remarks)};
  auto language = judge(std::get<std::string>(*answer));
  if (auto* spec = std::get_if<LanguageSpec>(&language)) {
    spec->file = name;
    if (!spec->tools.empty()) spec->library = std::make_shared<const Fd>(std::move(sealed));
  }
  return Loaded{std::move(language), std::move(remarks)};
}

Result<Loaded> load_file(const std::filesystem::path& program, const std::filesystem::path& file,
                         TrustedKeys keys) {
  const auto gate = Gate::open(file.has_parent_path() ? file.parent_path() : ".", std::move(keys));
  if (!gate) return gate.failure();
  return load_library(program, *gate, file.filename().native());
}

}  // namespace codebox::plugin
