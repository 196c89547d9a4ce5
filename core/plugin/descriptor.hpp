#pragma once
#include <codebox/plugin.h>

#include "plugin/language.hpp"

/// A descriptor as plain values and back. Pure functions; any thread.
namespace codebox::plugin {

/// A deep copy of a descriptor that keeps the rules (sdk::check).
LanguageSpec copy_descriptor(const cbx_plugin& from);

/// What is wrong with `spec` by the very rules that the SDK checks at compile time; empty where nothing is.
std::string broken_rule(const LanguageSpec& spec);

}  // namespace codebox::plugin
