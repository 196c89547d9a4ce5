#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "plugin/tool_call.hpp"

namespace codebox::plugin {

/// Each line of a tool's answer begins with what it is; the rest is JSON.
enum class ToolLine : char {
  content = 'c',     ///< a block
  structured = 's',  ///< an object
  progress = 'p',    ///< [value, total, message]
  log = 'l',         ///< [level, logger, data]
  error = 'e',       ///< [code, message, data]
  done = 'd',        ///< 0 or 1
};

/// Puts together what a plugin host child writes while a tool runs, and bounds and checks all of it. One
/// call, one thread.
class ToolAnswer {
 public:
  ToolAnswer(const Tool& tool, std::function<void(const ToolNotice&)> tell);
  /// More bytes; true once the tool is done. A failure is a rule that the plugin broke.
  Result<bool> take(std::string_view bytes);
  ToolOutcome outcome() { return std::move(outcome_); }

 private:
  Result<bool> line(std::string_view text);
  Result<void> notice(const nlohmann::json& value, bool log);
  Result<void> error(const nlohmann::json& value);
  Result<bool> done(const nlohmann::json& value);
  Failure broken(const std::string& what) const;

  const Tool& tool_;
  const std::function<void(const ToolNotice&)> tell_;
  std::string held_;
  std::size_t total_ = 0;
  std::size_t notices_ = 0;
  double last_value_ = 0;
  bool progressed_ = false;
  ToolOutcome outcome_;
};

}  // namespace codebox::plugin
