#pragma once
#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "plugin/language.hpp"

namespace codebox::run {

/// A file that the program wants before it starts: a reference into the caller's files, or its content
/// itself.
struct InputFile {
  std::string reference;  ///< empty when `content` is there
  std::string path;       ///< absolute, below a writable place; empty: /sandbox/<the file's name>
  std::optional<std::string> content;
};

/// What a model asked of run_<id>, checked. Plain value.
struct Arguments {
  std::string code;
  std::vector<std::string> libraries;
  std::vector<InputFile> inputs;
  std::vector<std::string> outputs;  ///< absolute paths or globs
  std::string input;                 ///< stdin
  std::optional<std::chrono::milliseconds> timeout;
  std::vector<std::string> notes = {};  ///< for the result: what of it was ignored
};

/// Reads a tool call's arguments as models really write them (run/lenient.hpp says how). Reason::invalid with
/// the sentence to answer otherwise.
Result<Arguments> read_arguments(nlohmann::json arguments, const plugin::LanguageSpec& language);

/// `path` as an absolute one below a writable place of the sandbox, or Reason::invalid naming it.
Result<std::string> writable_path(const std::string& path);

/// Adds the path of an input to those that are `taken`; Reason::invalid where it is one of them, or the
/// program's own.
Result<void> take_path(const std::string& path, const std::string& source_file, std::set<std::string>& taken);

/// Reason::invalid unless each of `names` is a package specifier by the language's grammar.
Result<void> check_packages(const std::vector<std::string>& names, const plugin::Packages& grammar);

/// The input schema of run_<id>, as JSON.
std::string run_schema(const plugin::LanguageSpec& language, std::chrono::milliseconds longest);

}  // namespace codebox::run
