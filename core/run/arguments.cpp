#include "run/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "base/encoding.hpp"
#include "base/text.hpp"
#include "run/lenient.hpp"
#include "sandbox/places.hpp"
#include "sandbox/sandbox.hpp"

namespace codebox::run {
namespace {

using nlohmann::json;

Failure invalid(std::string message) {
  return {Reason::invalid, std::move(message)};
}

std::string named(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    if (shown.size() < 5) shown.push_back(text::quoted(name, 40));
  }
  return text::join(shown, ", ");
}

Result<std::vector<std::string>> strings(json value, const char* name) {
  std::vector<std::string> out;
  for (const json& item : lenient::list(std::move(value))) {
    if (!item.is_string()) {
      return invalid(std::string("`") + name + "` must be a list of strings; one item is " +
                     item.dump(-1, ' ', true).substr(0, 80) + ".");
    }
    out.push_back(item.get<std::string>());
  }
  return out;
}

// Programs break base64 into lines, and leave its padding out, and some write it for URLs.
std::optional<std::string> decode(std::string_view base64) {
  if (auto decoded = encoding::from_base64(base64)) return decoded;
  std::string plain;
  for (const char c : base64) {
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') plain += c == '-' ? '+' : c == '_' ? '/' : c;
  }
  while (plain.ends_with('=')) plain.pop_back();
  while (plain.size() % 4 != 0) plain += '=';
  return encoding::from_base64(plain);
}

// The first of `names` that holds a text; it lives as long as the object.
std::string_view member(const json& object, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto at = object.find(name);
    if (at != object.end() && at->is_string() && !at->get_ref<const std::string&>().empty())
      return at->get_ref<const std::string&>();
  }
  return {};
}

// Takes a text out of the item. `name` is how a message names the file.
Result<void> read_content(json& item, const std::string& name, InputFile& file) {
  for (const char* key : {"text", "content"}) {
    if (item.contains(key) && item[key].is_string())
      file.content = std::move(item[key].get_ref<std::string&>());
  }
  std::string_view encoded = member(item, {"base64", "content_base64"});
  if (encoded.empty()) return {};
  if (file.content && !file.content->empty()) {
    return invalid("The input file " + text::quoted(name) +
                   " has both `text` and `base64`: give one of them.");
  }
  if (const auto comma = encoded.find(";base64,"); encoded.starts_with("data:") && comma != std::string::npos)
    encoded.remove_prefix(comma + 8);
  auto decoded = decode(encoded);
  if (!decoded) {
    return invalid("The `base64` of the input file " + text::quoted(name) +
                   " is not base64: encode the file's bytes anew, or give its content as `text`.");
  }
  file.content = std::move(*decoded);
  return {};
}

Result<InputFile> input_file(json& item) {
  InputFile file;
  if (item.is_string()) {
    file.reference = item.get<std::string>();
  } else if (item.is_object()) {
    const std::string name(member(item, {"name", "filename", "file_name", "file"}));
    file.path = member(item, {"path"});
    if (auto read = read_content(item, file.path.empty() ? name : file.path, file); !read)
      return read.failure();
    file.reference = member(item, {"id", "file_id", "url"});
    if (file.reference.empty() && !file.content) file.reference = name;
    if (file.path.empty() && file.content) file.path = name;
  }
  if (file.reference.empty() && !file.content) {
    return invalid(
        "Each of `input_files` needs an `id` (or a name) and a `path`, as in {\"id\": \"sales.csv\", "
        "\"path\": "
        "\"sales.csv\"}, or a `path` with `text` or `base64`; one is " +
        item.dump(-1, ' ', true).substr(0, 80) + ".");
  }
  if (file.content && file.path.empty())
    return invalid("An input file that brings its content needs a `path`.");
  if (!file.path.empty()) {
    auto path = writable_path(lenient::path(file.path));
    if (!path) return path.failure();
    file.path = std::move(*path);
  }
  return file;
}

Result<std::optional<std::chrono::milliseconds>> timeout(const json& value) {
  if (value.is_null()) return std::optional<std::chrono::milliseconds>();
  const double seconds = lenient::seconds(value).value_or(-1);
  if (seconds == 0) return std::optional<std::chrono::milliseconds>();
  if (!std::isfinite(seconds) || seconds < 0) {
    return invalid("`timeout` must be a number of seconds above 0, as in 30; it is " +
                   value.dump(-1, ' ', true).substr(0, 40) + ".");
  }
  const double bounded = std::min(seconds, 86'400.0);
  return std::optional(std::chrono::milliseconds(std::max(1L, std::lround(bounded * 1000))));
}

// Of a list, each item is one name; a text is as many as it holds.
Result<std::vector<std::string>> libraries_of(json given) {
  const bool is_text = given.is_string();
  auto names = strings(std::move(given), "libraries");
  if (!names || !is_text || names->size() != 1) return names;
  return lenient::words(names->front());
}

Result<void> check_inputs(const std::vector<InputFile>& inputs, const std::string& source_file) {
  std::set<std::string> taken;
  for (const InputFile& file : inputs) {
    if (file.path.empty()) continue;
    if (auto fine = take_path(file.path, source_file, taken); !fine) return fine;
  }
  return {};
}

}  // namespace

Result<Arguments> read_arguments(json given, const plugin::LanguageSpec& language) {
  std::vector<std::string> unknown;
  json arguments = lenient::arguments(std::move(given), unknown);
  if (!arguments.is_object()) return invalid("The arguments must be an object with at least `code`.");
  Arguments out;
  const auto code = lenient::program(arguments.value("code", json()));
  if (!code) {
    if (const json wrong = arguments.value("code", json()); !wrong.is_null() && wrong != "") {
      return invalid("`code` must be a string, the whole program; it is " +
                     wrong.dump(-1, ' ', true).substr(0, 80) + ".");
    }
    return invalid("`code` is missing: give the whole program as a string" +
                   (unknown.empty() ? "." : "; there is only " + named(unknown) + "."));
  }
  out.code = *code;
  if (!unknown.empty()) {
    out.notes.push_back("Ignored, since there is no such argument: " + named(unknown) +
                        "; there are code, libraries, input_files, output_files, stdin and timeout.");
  }

  auto libraries = libraries_of(lenient::taken(arguments, "libraries"));
  if (!libraries) return libraries.failure();
  out.libraries = std::move(*libraries);
  if (!out.libraries.empty()) {
    if (!language.packages)
      return invalid(language.display_name + " has no packages to install here: leave out `libraries`.");
    if (auto checked = check_packages(out.libraries, *language.packages); !checked) return checked.failure();
  }

  for (json& item : lenient::list(lenient::taken(arguments, "input_files"))) {
    auto file = input_file(item);
    if (!file) return file.failure();
    out.inputs.push_back(std::move(*file));
  }
  if (auto checked = check_inputs(out.inputs, language.source_file); !checked) return checked.failure();

  auto outputs = strings(lenient::taken(arguments, "output_files"), "output_files");
  if (!outputs) return outputs.failure();
  for (std::string pattern : *outputs) {
    pattern = lenient::path(std::move(pattern));
    if (pattern.size() > 1 && pattern.back() == '/') pattern += "**";
    auto path = writable_path(pattern);
    if (!path) return path.failure();
    out.outputs.push_back(std::move(*path));
  }

  auto input = lenient::input(arguments.value("stdin", json()));
  if (!input) return invalid("`stdin` must be a string: the text that the program reads.");
  out.input = std::move(*input);
  auto wanted = timeout(lenient::taken(arguments, "timeout"));
  if (!wanted) return wanted.failure();
  out.timeout = *wanted;
  return out;
}

Result<void> take_path(const std::string& path, const std::string& source_file,
                       std::set<std::string>& taken) {
  if (path == std::string(sandbox::work_folder) + '/' + source_file) {
    return invalid("The input path " + text::quoted(path) +
                   " is where the program itself lies: choose another `path`.");
  }
  if (!taken.insert(path).second)
    return invalid("Two input files have the path " + text::quoted(path) + ": give each its own `path`.");
  return {};
}

Result<std::string> writable_path(const std::string& path) {
  namespace places = sandbox::places;
  const auto more_than = [](const std::string& has, std::size_t most, const char* what) {
    return has + " more than " + std::to_string(most) + ' ' + what;
  };
  const auto refused = [&](const std::string& why) {
    return invalid("The path " + text::quoted(path) + " " + why +
                   ": use a path relative to /sandbox, or one below /sandbox or /tmp.");
  };
  if (path.empty()) return refused("is empty");
  if (path.find('\0') != std::string::npos) return refused("holds a NUL");
  if (!text::is_utf8(path)) return refused("is no UTF-8");
  std::string out = path.front() == '/' ? "" : "/sandbox";
  for (const std::string& part : text::split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == "..") return refused("leads upwards with ..");
    if (part.size() > places::longest_name)
      return refused(more_than("has a name of", places::longest_name, "bytes"));
    out += '/' + part;
  }
  if (path.back() == '/') return refused("names a folder");
  if (out.size() > places::longest_path) return refused(more_than("has", places::longest_path, "bytes"));
  if (std::count(out.begin(), out.end(), '/') > static_cast<std::ptrdiff_t>(places::deepest))
    return refused(more_than("has", places::deepest, "parts"));
  const bool inside = out.starts_with("/sandbox/") || out.starts_with("/tmp/");
  if (!inside) return refused("is not in a writable place of the sandbox");
  return out;
}

}  // namespace codebox::run
