#pragma once
#include <string>

#include "plugin/language.hpp"

namespace codebox::run {

/// What list_<id>_packages shows: one "name version" a line under a heading, from what the language's listing
/// command printed (a JSON array of {name, version}, or lines of name and version). Both are pure; any
/// thread.
std::string package_list(const std::string& printed, const plugin::LanguageSpec& language);

/// The names of such a list on one line, as many as a description bears: "jq, ripgrep and 210 more".
std::string package_names(const std::string& list);

}  // namespace codebox::run
