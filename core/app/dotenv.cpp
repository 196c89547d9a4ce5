#include <optional>
#include <sstream>

#include "app/settings.hpp"
#include "base/text.hpp"

namespace codebox::app {
namespace {

// `rest` after the '=': quoted as a whole, or up to a comment that stands after a blank.
std::optional<std::string> value_of(std::string_view rest) {
  rest = text::trim(rest);
  if (rest.empty()) return std::string();
  const char quote = rest.front();
  if (quote == '"' || quote == '\'') {
    const auto end = rest.find(quote, 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view after = text::trim(rest.substr(end + 1));
    if (!after.empty() && after.front() != '#') return std::nullopt;
    return std::string(rest.substr(1, end - 1));
  }
  return std::string(text::trim(rest.substr(0, rest.find(" #"))));
}

}  // namespace

Result<Variables> parse_dotenv(const std::string& content) {
  Variables variables;
  std::istringstream lines(content);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::string_view rest = text::trim(line);
    if (rest.empty() || rest.front() == '#') continue;
    if (rest.starts_with("export ")) rest = text::trim(rest.substr(7));
    const auto equals = rest.find('=');
    const auto value = equals == std::string_view::npos ? std::nullopt : value_of(rest.substr(equals + 1));
    const std::string name(text::trim(rest.substr(0, equals)));
    if (!value || name.empty() || name.find(' ') != std::string::npos) {
      return Failure{Reason::invalid,
                     "Line " + std::to_string(number) + " of the .env file is not NAME=value."};
    }
    variables[name] = *value;
  }
  return variables;
}

}  // namespace codebox::app
