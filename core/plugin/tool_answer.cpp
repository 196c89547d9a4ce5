#include "plugin/tool_answer.hpp"

#include <codebox/plugin.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "plugin/limits.hpp"
#include "plugin/plain_json.hpp"

namespace codebox::plugin {
namespace {

using nlohmann::json;

constexpr std::size_t longest_sentence = 1024;

std::string sentence(const json& value) {
  if (!value.is_string()) return {};
  return std::string(text::prefix(text::one_line(value.get<std::string>()), longest_sentence));
}

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

ToolAnswer::ToolAnswer(const Tool& tool, std::function<void(const ToolNotice&)> tell)
    : tool_(tool), tell_(std::move(tell)) {}

Failure ToolAnswer::broken(const std::string& what) const {
  return {Reason::internal, "The tool " + tool_.name + " broke a rule of its plugin's contract: " + what +
                                "; the fault is in its plugin."};
}

Result<bool> ToolAnswer::take(std::string_view bytes) {
  total_ += bytes.size();
  if (total_ > largest_tool_answer)
    return broken("its answer is larger than " + text::size(largest_tool_answer));
  std::size_t from = held_.size();
  held_ += bytes;
  std::size_t begin = 0;
  for (std::size_t end; (end = held_.find('\n', from)) != std::string::npos; begin = from = end + 1) {
    auto done = line(std::string_view(held_).substr(begin, end - begin));
    if (!done || *done) return done;
  }
  held_.erase(0, begin);
  return false;
}

Result<bool> ToolAnswer::line(std::string_view text) {
  const auto value = text.empty() ? std::nullopt : read_plain(text.substr(1));
  if (!value) return broken("it gave what is no JSON of UTF-8, nested 32 levels deep at most");
  Result<void> taken;
  switch (static_cast<ToolLine>(text[0])) {
    case ToolLine::content: {
      auto block = read_content(*value);
      if (!block) return broken("it gave " + block.failure().message);
      if (outcome_.content.size() >= most_blocks)
        return broken("it gave more than " + std::to_string(most_blocks) + " content blocks");
      outcome_.content.push_back(std::move(*block));
      return false;
    }
    case ToolLine::structured:
      if (!value->is_object()) return broken("its structured content is no object");
      outcome_.structured = dump(*value);
      return false;
    case ToolLine::progress:
      taken = notice(*value, false);
      break;
    case ToolLine::log:
      taken = notice(*value, true);
      break;
    case ToolLine::error:
      taken = error(*value);
      break;
    case ToolLine::done:
      return done(*value);
    default:
      return broken("its process wrote a line of an unknown kind");
  }
  if (!taken) return taken.failure();
  return false;
}

Result<void> ToolAnswer::notice(const json& value, bool log) {
  if (!value.is_array() || value.size() != 3) return broken("it told something unreadable");
  if (++notices_ > most_notices) return {};  // not worth a call that works
  ToolNotice out;
  if (log) {
    constexpr std::array<const char*, 5> words = {"", "debug", "info", "warning", "error"};
    if (!value[0].is_number_unsigned() || value[0] < CBX_LOG_DEBUG || value[0] > CBX_LOG_ERROR)
      return broken("it logged with an unknown level");
    out.level = words[value[0].get<std::size_t>()];
    out.logger = sentence(value[1]);
    out.data = dump(value[2]);
    if (out.data.size() > largest_log_data) return {};
  } else {
    if (!value[0].is_number() || !value[1].is_number()) return broken("its progress is no number");
    out.value = value[0].get<double>();
    out.total = value[1].get<double>();
    if (!std::isfinite(out.value) || !std::isfinite(out.total) || (progressed_ && out.value <= last_value_))
      return {};
    progressed_ = true;
    last_value_ = out.value;
    out.message = sentence(value[2]);
  }
  if (tell_) tell_(out);
  return {};
}

Result<void> ToolAnswer::error(const json& value) {
  if (!value.is_array() || value.size() != 3 || !value[0].is_number_integer() || sentence(value[1]).empty())
    return broken("it gave an error without a code or a message");
  if (outcome_.error) return {};
  const auto code = value[0].get<std::int64_t>();
  if (code < std::numeric_limits<int>::min() || code > std::numeric_limits<int>::max() || code == 0)
    return broken("it gave an error with an impossible code");
  std::string data = value[2].is_null() ? std::string() : dump(value[2]);
  if (data.size() > largest_log_data) data.clear();
  outcome_.error = ToolError{static_cast<int>(code), sentence(value[1]), std::move(data)};
  return {};
}

Result<bool> ToolAnswer::done(const json& value) {
  if (value != 0 && value != 1) return broken("its function returned neither 0 nor 1");
  outcome_.is_error = value == 1;
  if (outcome_.is_error) outcome_.structured.clear();
  if (!outcome_.is_error && !outcome_.error && !tool_.output_schema.empty() && outcome_.structured.empty())
    return broken("it has an output_schema, but gave no structured content");
  return true;
}

}  // namespace codebox::plugin
