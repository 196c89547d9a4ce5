#include "base/text.hpp"
#include "run/arguments.hpp"

namespace codebox::run {
namespace {

bool letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// The whole character that begins at `at`.
std::string shown(std::string_view name, std::size_t at) {
  std::size_t end = at + 1;
  while (end < name.size() && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) ++end;
  return text::quoted(name.substr(at, end - at));
}

// Why `name` is no specifier, or empty. The floor below every language's own grammar: nothing that an
// installer could take for an option, a path, a URL or several words.
std::string fault(const std::string& name, const plugin::Packages& grammar) {
  if (name.empty()) return "is empty";
  if (name.size() > grammar.longest) return "is longer than " + std::to_string(grammar.longest) + " bytes";
  if (name.front() == '-') return "begins with a dash, which an installer takes for an option";
  if (!letter_or_digit(name.front()) && grammar.extra_characters.find(name.front()) == std::string::npos) {
    return "begins with " + shown(name, 0);
  }
  if (name.find("..") != std::string::npos || name.find("//") != std::string::npos)
    return "is a path or a URL";
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    if (letter_or_digit(c) || c == '.' || c == '_' || c == '-') continue;
    if (grammar.extra_characters.find(c) == std::string::npos) return "holds " + shown(name, at);
  }
  return {};
}

}  // namespace

Result<void> check_packages(const std::vector<std::string>& names, const plugin::Packages& grammar) {
  if (names.size() > grammar.most) {
    return Failure{Reason::invalid, "`libraries` has " + std::to_string(names.size()) + " entries; at most " +
                                        std::to_string(grammar.most) + " can be installed in one call."};
  }
  for (const std::string& name : names) {
    if (const std::string why = fault(name, grammar); !why.empty()) {
      return Failure{Reason::invalid, "The package " + text::quoted(name) + " " + why +
                                          ": give the plain name of a " + grammar.noun + ", for example " +
                                          text::quoted(grammar.example) + "."};
    }
  }
  return {};
}

}  // namespace codebox::run
