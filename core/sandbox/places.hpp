#pragma once
#include <string>
#include <string_view>
#include <vector>

/// Where in a sandbox files may be put, looked for and taken from; both sides check. Pure functions; any
/// thread.
namespace codebox::sandbox::places {

inline constexpr std::size_t longest_path = 4000;  ///< bytes
inline constexpr std::size_t longest_name = 255;   ///< bytes of one part
inline constexpr std::size_t deepest = 64;         ///< parts of a path

/// The parts of an absolute path ("/sandbox/a/b" -> sandbox, a, b), or nothing where the path is not one that
/// lies below a writable place, spelled plainly: no empty part, no "." or "..", no NUL, not too long.
std::vector<std::string> parts(std::string_view path);
inline bool writable(std::string_view path) {
  return !parts(path).empty();
}

/// Whether a part of a pattern holds a wildcard.
bool is_glob(std::string_view part);
/// Matches one name; `*` and `?` do not match a leading dot. `?` is one code point.
bool matches(std::string_view glob, std::string_view name);

}  // namespace codebox::sandbox::places
