#pragma once
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "plugin/language.hpp"
#include "run/options.hpp"

namespace codebox::run {

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

/// `output` with every credential gone that stands in a URL or in one of the step's index variables.
std::string without_secrets(std::string output, const std::vector<std::string>& env,
                            const plugin::LanguageSpec& language);

}  // namespace codebox::run
