#include "run/arguments.hpp"

#include <Poco/Base64Decoder.h>
#include <Poco/Exception.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/text.hpp"

namespace codebox::run {
namespace {

using nlohmann::json;

Failure invalid(std::string message) {
  return {Reason::invalid, std::move(message)};
}

// The argument `name`, or null when it is absent in one of the ways that models write absence.
json optional_argument(const json& arguments, const char* name) {
  const auto at = arguments.find(name);
  if (at == arguments.end() || at->is_null()) return nullptr;
  if (at->is_string() && text::trim(at->get_ref<const std::string&>()).empty()) return nullptr;
  if ((at->is_array() || at->is_object()) && at->empty()) return nullptr;
  return *at;
}

// A list; one that came as a JSON text is parsed, and a single value counts as a list of one.
json as_list(json value) {
  if (value.is_null()) return json::array();
  if (value.is_string()) {
    const std::string text(text::trim(value.get_ref<const std::string&>()));
    if (text.front() == '[' || text.front() == '{') {
      json parsed = json::parse(text, nullptr, false);
      if (parsed.is_array()) return parsed;
      if (parsed.is_object()) return json::array({parsed});
    }
  }
  if (value.is_array()) return value;
  return json::array({std::move(value)});
}

Result<std::vector<std::string>> strings(const json& arguments, const char* name) {
  std::vector<std::string> out;
  for (const json& item : as_list(optional_argument(arguments, name))) {
    if (!item.is_string()) {
      return invalid(std::string("`") + name + "` must be a list of strings; one item is " +
                     item.dump(-1, ' ', true).substr(0, 80) + ".");
    }
    out.push_back(item.get<std::string>());
  }
  return out;
}

Result<std::string> decode(const std::string& base64) {
  std::istringstream in(base64);
  Poco::Base64Decoder decoder(in);
  std::string out;
  char part[4096];
  try {
    while (decoder.good()) {
      decoder.read(part, sizeof part);
      out.append(part, static_cast<std::size_t>(decoder.gcount()));
    }
  } catch (const Poco::Exception&) {
    return invalid("`base64` of an input file is not valid base64.");
  }
  if (decoder.bad()) return invalid("`base64` of an input file is not valid base64.");
  return out;
}

std::string member(const json& object, const char* name) {
  const auto at = object.find(name);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

Result<InputFile> input_file(const json& item) {
  InputFile file;
  if (item.is_string()) {
    file.reference = item.get<std::string>();
  } else if (item.is_object()) {
    for (const char* name : {"id", "file_id", "url", "name"}) {
      if (file.reference.empty()) file.reference = member(item, name);
    }
    file.path = member(item, "path");
    if (item.contains("text") && item["text"].is_string()) file.content = item["text"].get<std::string>();
    if (const std::string encoded = member(item, "base64"); !encoded.empty()) {
      auto decoded = decode(encoded);
      if (!decoded) return decoded.failure();
      file.content = std::move(*decoded);
    }
  }
  if (file.reference.empty() && !file.content) {
    return invalid("Each of `input_files` needs an `id` (or a name), or a `path` with `text` or `base64`.");
  }
  if (file.content && file.path.empty())
    return invalid("An input file that brings its content needs a `path`.");
  if (!file.path.empty()) {
    auto path = writable_path(file.path);
    if (!path) return path.failure();
    file.path = std::move(*path);
  }
  return file;
}

Result<std::optional<std::chrono::milliseconds>> timeout(const json& arguments) {
  json value = optional_argument(arguments, "timeout");
  if (value.is_string()) value = json::parse(value.get_ref<const std::string&>(), nullptr, false);
  if (value.is_null() || (value.is_number() && value.get<double>() == 0)) {
    return std::optional<std::chrono::milliseconds>();
  }
  const double seconds = value.is_number() ? value.get<double>() : -1;
  if (!std::isfinite(seconds) || seconds < 0)
    return invalid("`timeout` must be a number of seconds above 0.");
  const double bounded = std::min(seconds, 86'400.0);
  return std::optional(std::chrono::milliseconds(std::max(1L, std::lround(bounded * 1000))));
}

Result<void> check_inputs(const std::vector<InputFile>& inputs, const std::string& source_file) {
  std::set<std::string> seen;
  for (const InputFile& file : inputs) {
    if (file.path.empty()) continue;
    if (file.path == "/sandbox/" + source_file) {
      return invalid("The input path " + text::quoted(file.path) +
                     " is where the program itself lies: choose another.");
    }
    if (!seen.insert(file.path).second) {
      return invalid("Two input files have the path " + text::quoted(file.path) + ": give each its own.");
    }
  }
  return {};
}

}  // namespace

Result<Arguments> read_arguments(const json& arguments, const plugin::LanguageSpec& language) {
  if (!arguments.is_object()) return invalid("The arguments must be an object with at least `code`.");
  Arguments out;
  const auto code = arguments.find("code");
  if (code == arguments.end() || !code->is_string() ||
      text::trim(code->get_ref<const std::string&>()).empty()) {
    return invalid("`code` is missing: give the whole program as a string.");
  }
  out.code = code->get<std::string>();

  auto libraries = strings(arguments, "libraries");
  if (!libraries) return libraries.failure();
  out.libraries = std::move(*libraries);
  if (!out.libraries.empty()) {
    if (!language.packages)
      return invalid(language.display_name + " has no packages to install here: leave out `libraries`.");
    if (auto checked = check_packages(out.libraries, *language.packages); !checked) return checked.failure();
  }

  for (const json& item : as_list(optional_argument(arguments, "input_files"))) {
    auto file = input_file(item);
    if (!file) return file.failure();
    out.inputs.push_back(std::move(*file));
  }
  if (auto checked = check_inputs(out.inputs, language.source_file); !checked) return checked.failure();

  auto outputs = strings(arguments, "output_files");
  if (!outputs) return outputs.failure();
  for (const std::string& pattern : *outputs) {
    auto path = writable_path(pattern);
    if (!path) return path.failure();
    out.outputs.push_back(std::move(*path));
  }

  if (const auto at = arguments.find("stdin"); at != arguments.end() && at->is_string())
    out.input = at->get<std::string>();
  auto wanted = timeout(arguments);
  if (!wanted) return wanted.failure();
  out.timeout = *wanted;
  return out;
}

Result<std::string> writable_path(const std::string& path) {
  const auto refused = [&](const std::string& why) {
    return invalid("The path " + text::quoted(path) + " " + why +
                   ": use a path relative to /sandbox, or one below /sandbox or /tmp.");
  };
  if (path.empty() || path.find('\0') != std::string::npos || !text::is_utf8(path))
    return refused("is empty or no text");
  if (path.size() > 4000) return refused("is longer than 4000 bytes");
  std::string out = path.front() == '/' ? "" : "/sandbox";
  for (const std::string& part : text::split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == "..") return refused("leads upwards with ..");
    if (part.size() > 255) return refused("has a name of more than 255 bytes");
    out += '/' + part;
  }
  if (path.back() == '/') return refused("names a folder");
  const bool inside = out.starts_with("/sandbox/") || out.starts_with("/tmp/");
  if (!inside) return refused("is not in a writable place of the sandbox");
  return out;
}

}  // namespace codebox::run
