#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/fd.hpp"
#include "base/result.hpp"
#include "plugin/tool.hpp"
#include "plugin/tool_content.hpp"

namespace codebox::plugin {

/// What a tool tells while it works. Plain value.
struct ToolNotice {
  std::string level;      ///< of a log line, a word of the protocol; empty: it is progress
  double value = 0;       ///< rises from notice to notice
  double total = 0;       ///< 0: unknown
  std::string message;    ///< of progress; may be empty
  std::string logger;     ///< may be empty
  std::string data = {};  ///< of a log line, JSON text
};

/// An error of the protocol that a tool answers with instead of a result. Plain value.
struct ToolError {
  int code = 0;
  std::string message;
  std::string data;  ///< JSON text, or empty
};

/// What a tool answered. Plain value.
struct ToolOutcome {
  std::vector<ToolContent> content;
  std::string structured;  ///< JSON text of an object, or empty
  bool is_error = false;
  std::optional<ToolError> error;
};

/// One call of a plugin's tool. On the stack of the thread that waits for it.
struct ToolCall {
  const Tool& tool;
  const Fd& library;      ///< the sealed copy that was checked
  std::string arguments;  ///< a JSON object
  std::chrono::milliseconds time{0};
  std::stop_token cancel;
  std::function<void(const ToolNotice&)> tell;
};

/// Runs the tool in a plugin host child of its own, which is gone on return, and believes nothing that it
/// says. A failure is that the tool did not answer: it crashed, took too long, broke a rule, or nobody waits
/// any more. Any thread.
Result<ToolOutcome> call_tool(const std::filesystem::path& program, const ToolCall& call);

}  // namespace codebox::plugin
