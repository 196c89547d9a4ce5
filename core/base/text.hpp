#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Small helpers for text that came from outside. Pure functions; any thread.
namespace codebox::text {

/// `bytes` as valid UTF-8: each maximal ill-formed part becomes U+FFFD (Unicode 15, section 3.9), surrogates
/// included. Sets `*replaced` where anything was replaced.
std::string to_utf8(std::string_view bytes, bool* replaced = nullptr);
bool is_utf8(std::string_view bytes);

/// The longest prefix of valid UTF-8 `text` that is at most `bytes` long and ends on a code point.
std::string_view prefix(std::string_view text, std::size_t bytes);
/// The longest such suffix.
std::string_view suffix(std::string_view text, std::size_t bytes);

/// Control characters (also newlines) as spaces, ill-formed UTF-8 replaced: fit for one line of a log.
std::string one_line(std::string_view text);
/// `text` as a JSON string with its quotes.
std::string json_string(std::string_view text);
/// `text` between quotes, one line, at most `limit` bytes of it: how a message shows a value from outside.
std::string quoted(std::string_view text, std::size_t limit = 120);

/// 52428800 -> "50 MiB"; the largest unit (B, KiB, MiB, GiB) with at most one decimal.
std::string size(std::uint64_t bytes);

std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string lower(std::string_view text);
/// Shell-like match of `*` (also across '/') and `?`; everything else is literal. Linear time in both
/// lengths.
bool matches(std::string_view glob, std::string_view text);
/// How many single-character edits lead from `a` to `b`.
std::size_t distance(std::string_view a, std::string_view b);
/// Whether `a` comes before `b` where people sort: "figure-2" before "figure-10".
bool numbers_before(std::string_view a, std::string_view b);
std::string join(const std::vector<std::string>& parts, std::string_view separator);

}  // namespace codebox::text
