#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/language.hpp"
#include "run/options.hpp"
#include "sandbox/sandbox.hpp"

/// Hints for the model. Pure functions; any thread.
namespace codebox::run {

/// What is known of a program that failed.
struct Failed {
  const sandbox::StepEnd& end;
  const std::string& output;                ///< all that it said and that was kept
  const std::vector<std::string>& present;  ///< the files of the sandbox, where they were looked at
  std::chrono::milliseconds limit;          ///< of this call
};

/// Sentences after which a model can do better, most particular first: those of the language, then what every
/// language passes on of the system's words (no network, a full disk, a file that is not there...).
std::vector<std::string> hints(const Failed& failed, const plugin::LanguageSpec& language,
                               const Options& options);

/// The hint of the first rule of `language` that matches a line of `output`, for every line, each hint once.
std::vector<std::string> language_hints(const std::string& output, const plugin::LanguageSpec& language);

/// Whether `output` complains that a file is not there, so that it helps to know which ones are.
bool misses_file(std::string_view output);

/// The file that the last such complaint names, or empty.
std::string missing_file(std::string_view output);

/// Those of `present` whose file name is nearly that of `path`.
std::vector<std::string> like_named(const std::string& path, const std::vector<std::string>& present);

/// Some of `paths`, quoted, in one line.
std::string listed(const std::vector<std::string>& paths);

/// What there is instead, as a sentence about a `name` that is not there; empty where nothing helps.
std::string about_missing(const std::string& name, const std::vector<std::string>& present);

}  // namespace codebox::run
