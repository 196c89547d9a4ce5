#pragma once
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "plugin/language.hpp"

namespace codebox::plugin {

/// How a language travels from the plugin host child to the server. Both are pure; any thread.
std::string encode(const LanguageSpec& spec);
/// Believes nothing: every field has its type, no text holds a NUL. The rules are the caller's to check.
Result<LanguageSpec> decode(std::string_view json);

}  // namespace codebox::plugin
