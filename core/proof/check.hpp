#pragma once
#include <string>
#include <vector>

namespace codebox::proof {

/// One limit of a sandbox and whether it was seen to hold. A plain value.
struct Check {
  std::string name;      ///< a stable word, for example "memory"
  bool holds = false;
  std::string sentence;  ///< what was seen
  bool offered = true;   ///< false: a further guard that this engine does not offer and nobody demands
};
using Checks = std::vector<Check>;

/// The names of those that do not hold.
std::vector<std::string> broken(const Checks& checks);
/// One sentence that names all that does not hold, or nothing.
std::string complaint(const Checks& checks);
/// A line for each check, for people.
std::string table(const Checks& checks);

}  // namespace codebox::proof
