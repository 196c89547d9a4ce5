#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/result.hpp"

struct cbx_tools;

namespace codebox::plugin {

/// A tool of a plugin that needs no sandbox, as the extension codebox.tools/1 describes it. Plain value.
struct Tool {
  std::string name;
  std::string title;
  std::string description;
  std::string input_schema;   ///< JSON text, verbatim
  std::string output_schema;  ///< JSON text, or empty
  std::string annotations;    ///< JSON text, or empty
};

/// A deep copy of tools that keep the rules (sdk::check).
std::vector<Tool> copy_tools(const cbx_tools& from);

/// What is wrong with `tools` by the rules of the SDK, and with what should be JSON; empty where nothing is.
std::string broken_rule(const std::vector<Tool>& tools);

/// What is wrong with the arguments of a call at the top level of the tool's schema: a required one is
/// missing, one has another type, or one is not known where no others are allowed. `arguments` is an object.
Result<void> fits(const Tool& tool, const nlohmann::json& arguments);

}  // namespace codebox::plugin
