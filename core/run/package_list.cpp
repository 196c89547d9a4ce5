#include "run/package_list.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/text.hpp"

namespace codebox::run {
namespace {

using nlohmann::json;

std::set<std::string> from_json(const std::string& printed) {
  std::set<std::string> lines;
  const json parsed = json::parse(printed, nullptr, false);
  if (!parsed.is_array()) return lines;
  for (const json& item : parsed) {
    if (!item.is_object() || !item.contains("name") || !item["name"].is_string()) continue;
    const std::string version =
        item.contains("version") && item["version"].is_string() ? item["version"] : "";
    lines.insert(text::one_line(item["name"].get<std::string>() + ' ' + version));
  }
  return lines;
}

std::set<std::string> from_lines(const std::string& printed) {
  std::set<std::string> lines;
  std::istringstream in(printed);
  for (std::string line; std::getline(in, line);) {
    if (!text::trim(line).empty()) lines.insert(text::one_line(text::trim(line)));
  }
  return lines;
}

}  // namespace

std::string package_list(const std::string& printed, const plugin::LanguageSpec& language) {
  const auto lines =
      language.list_format == plugin::ListFormat::json ? from_json(printed) : from_lines(printed);
  std::string out = language.display_name + " has " + std::to_string(lines.size()) +
                    " packages ready; others can be named in `libraries`.\n";
  if (!language.packages) out = language.display_name + " has these ready.\n";
  for (const std::string& line : lines) out += line + '\n';
  return out;
}

std::string package_names(const std::string& list) {
  constexpr std::size_t longest = 400;
  std::istringstream in(list);
  std::string line;
  std::getline(in, line);  // the heading
  std::string names;
  std::size_t more = 0;
  while (std::getline(in, line)) {
    const std::string name = line.substr(0, line.find_first_of(" \t@="));
    if (more > 0 || names.size() + name.size() > longest) {
      ++more;
    } else {
      names += (names.empty() ? "" : ", ") + name;
    }
  }
  return more > 0 ? names + " and " + std::to_string(more) + " more" : names;
}

}  // namespace codebox::run
