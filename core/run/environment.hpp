#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "plugin/language.hpp"
#include "run/options.hpp"

/// What steps are started with. Pure functions; any thread.
namespace codebox::run {

/// Which step an environment is for: one that installs, or the compiler and the program.
enum class Phase { install, program };

/// The whole environment of a step: the image's, ours, the language's and the operator's, later ones winning.
/// What the language's installer reads (index addresses, perhaps with a password) is there while it installs
/// and only then.
std::vector<std::string> environment(Phase phase, const plugin::LanguageSpec& language,
                                     const engine::ImageInfo& image, const Options& options);

/// Whether only the install step has this variable: it tells where packages come from.
bool is_index_variable(const plugin::LanguageSpec& language, const std::string& name);

/// `argv` with {source}, {dir}, {support} and {prefix} filled in and {packages} spread out.
std::vector<std::string> command_line(const plugin::Command& command, const plugin::LanguageSpec& language,
                                      const std::vector<std::string>& packages);

/// What the command gets of the time that is left: all of it, or its wish where that is less.
std::chrono::milliseconds time_of(const plugin::Command& command, std::chrono::milliseconds left);

/// `output` with every credential gone that stands in a URL or in one of the step's index variables.
std::string without_secrets(std::string output, const std::vector<std::string>& env,
                            const plugin::LanguageSpec& language);

}  // namespace codebox::run
