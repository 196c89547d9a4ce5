#include "proof/check.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace codebox::proof {

std::vector<std::string> broken(const Checks& checks) {
  std::vector<std::string> names;
  for (const Check& check : checks) {
    if (!check.holds) names.push_back(check.name);
  }
  return names;
}

std::string complaint(const Checks& checks) {
  std::vector<std::string> parts;
  for (const Check& check : checks) {
    if (!check.holds) parts.push_back(check.name + " (" + check.sentence + ")");
  }
  if (parts.empty()) return {};
  return "These limits of a sandbox do not hold on this container engine: " + text::join(parts, ", ") + ".";
}

std::string table(const Checks& checks) {
  std::size_t width = 0;
  for (const Check& check : checks) width = std::max(width, check.name.size());
  std::string out;
  for (const Check& check : checks) {
    out += check.name + std::string(width + 2 - check.name.size(), ' ');
    out += !check.holds ? "does not hold   " : check.offered ? "ok              " : "not offered     ";
    out += check.sentence + "\n";
  }
  return out;
}

}  // namespace codebox::proof
