#pragma once
#include <string_view>

/// What RFC 9110 allows in the fields of a message. Pure functions; any thread.
namespace codebox::http {

/// Equal without regard to the case of ASCII letters.
bool same_name(std::string_view a, std::string_view b);
/// A field name or method: not empty, only token characters.
bool is_token(std::string_view text);
/// A field value: no control character but the tab.
bool is_value(std::string_view text);

}  // namespace codebox::http
