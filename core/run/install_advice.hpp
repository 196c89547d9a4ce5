#pragma once
#include <string>

#include "plugin/language.hpp"

namespace codebox::run {

/// What to do about a failed installation, from the installer's words; empty where they say it themselves.
/// Pure.
std::string install_advice(const std::string& output, const plugin::LanguageSpec& language);

}  // namespace codebox::run
