#include "run/lenient.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/text.hpp"

namespace codebox::run::lenient {
namespace {

using nlohmann::json;

struct Name {
  std::string_view ours;
  std::string_view theirs;
};

constexpr std::array<std::string_view, 6> ours = {"code",         "libraries", "input_files",
                                                  "output_files", "stdin",     "timeout"};
constexpr std::array<Name, 18> other_names = {{{"code", "source"},
                                               {"code", "source_code"},
                                               {"code", "script"},
                                               {"code", "program"},
                                               {"libraries", "packages"},
                                               {"libraries", "requirements"},
                                               {"libraries", "dependencies"},
                                               {"libraries", "library"},
                                               {"input_files", "files"},
                                               {"input_files", "file_ids"},
                                               {"input_files", "inputs"},
                                               {"input_files", "input_file"},
                                               {"input_files", "attachments"},
                                               {"output_files", "outputs"},
                                               {"output_files", "output_file"},
                                               {"stdin", "standard_input"},
                                               {"timeout", "timeout_seconds"},
                                               {"timeout", "time_limit"}}};

bool is_absent(const json& value) {
  if (value.is_null()) return true;
  if (value.is_string()) {
    const std::string_view said = text::trim(value.get_ref<const std::string&>());
    return said.empty() || said == "null" || said == "None" || said == "undefined";
  }
  return (value.is_array() || value.is_object()) && value.empty();
}

json unwrapped(json given) {
  if (!given.is_object() || given.size() != 1 || given.contains("code")) return given;
  json inner = given.begin().value();
  if (inner.is_string() && text::trim(inner.get_ref<const std::string&>()).starts_with('{'))
    inner = json::parse(inner.get_ref<const std::string&>(), nullptr, false);
  return inner.is_object() && inner.contains("code") ? inner : given;
}

// The lines of a list of texts, or nothing.
std::optional<std::string> lines_of(const json& value) {
  std::vector<std::string> lines;
  for (const json& line : value) {
    if (!line.is_string()) return std::nullopt;
    lines.push_back(line.get<std::string>());
  }
  return text::join(lines, "\n");
}

std::string without_fence(const std::string& code) {
  const std::string_view whole = text::trim(code);
  if (!whole.starts_with("```") && !whole.starts_with("~~~")) return code;
  const auto end_of_first = whole.find('\n');
  if (end_of_first == std::string_view::npos) return code;
  std::string_view body = whole.substr(end_of_first + 1);
  if (body.ends_with(whole.substr(0, 3))) body.remove_suffix(3);
  return std::string(body);
}

}  // namespace

json arguments(json given, std::vector<std::string>& unknown) {
  given = unwrapped(std::move(given));
  if (!given.is_object()) return given;
  json out = json::object();
  for (const std::string_view name : ours) {
    if (const auto at = given.find(name); at != given.end()) out[std::string(name)] = std::move(*at);
  }
  for (auto member = given.begin(); member != given.end(); ++member) {
    const std::string& name = member.key();
    json& value = member.value();
    if (std::find(ours.begin(), ours.end(), name) != ours.end()) continue;
    const auto known = std::find_if(other_names.begin(), other_names.end(),
                                    [&](const Name& other) { return other.theirs == name; });
    if (known == other_names.end()) {
      if (!is_absent(value)) unknown.push_back(name);
    } else if (const std::string mine(known->ours); !out.contains(mine) || is_absent(out[mine])) {
      out[mine] = std::move(value);
    }
  }
  return out;
}

json taken(json& arguments, const char* name) {
  const auto at = arguments.find(name);
  return at == arguments.end() || is_absent(*at) ? json(nullptr) : std::move(*at);
}

json list(json value) {
  if (value.is_null()) return json::array();
  if (value.is_string()) {
    std::string text(text::trim(value.get_ref<const std::string&>()));
    if (text.front() == '[' || text.front() == '{') {
      json parsed = json::parse(text, nullptr, false);
      if (parsed.is_discarded() && text.find('"') == std::string::npos) {
        std::replace(text.begin(), text.end(), '\'', '"');
        parsed = json::parse(text, nullptr, false);
      }
      if (parsed.is_array()) return parsed;
      if (parsed.is_object()) return json::array({parsed});
    }
  }
  if (value.is_array()) return value;
  return json::array({std::move(value)});
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> out;
  std::string word;
  int depth = 0;
  const auto finish = [&] {
    if (!word.empty()) out.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    const auto next = text.find_first_not_of(" \t\r\n,", i);
    const bool version_next =
        next != std::string::npos && std::string_view("<>=!~*").find(text[next]) != std::string_view::npos;
    if (depth > 0 || (!blank && c != ',')) {
      word += c;
    } else if (!version_next) {
      finish();
    } else if (c == ',') {
      word += c;
    }
  }
  finish();
  return out;
}

std::optional<std::string> program(const json& value) {
  std::optional<std::string> code;
  if (value.is_string()) code = value.get<std::string>();
  if (value.is_array()) code = lines_of(value);
  if (!code || text::trim(*code).empty()) return std::nullopt;
  return without_fence(*code);
}

std::optional<std::string> input(const json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) return lines_of(value);
  if (value.is_number()) return value.dump();
  return std::nullopt;
}

std::optional<double> seconds(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const std::string said = text::lower(text::trim(value.get_ref<const std::string&>()));
  char* end = nullptr;
  const double number = std::strtod(said.c_str(), &end);
  if (end == said.c_str()) return std::nullopt;
  const std::string_view unit = text::trim(std::string_view(end));
  if (unit.empty() || unit == "s" || unit == "sec" || unit == "secs" || unit.starts_with("second"))
    return number;
  if (unit == "ms" || unit.starts_with("millisecond")) return number / 1000;
  if (unit == "m" || unit == "min" || unit == "mins" || unit.starts_with("minute")) return number * 60;
  return std::nullopt;
}

std::string path(std::string path) {
  for (const std::string_view scheme : {"sandbox:", "file://"}) {
    if (path.starts_with(scheme)) path.erase(0, scheme.size());
  }
  constexpr std::string_view other = "/mnt/data/";
  if (path.starts_with(other)) path.replace(0, other.size(), "/sandbox/");
  return path;
}

}  // namespace codebox::run::lenient
