#include "openapi/endpoint.hpp"

#include <chrono>
#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "base/text.hpp"
#include "mcp/headers.hpp"
#include "mcp/json_reader.hpp"
#include "openapi/statuses.hpp"

namespace codebox::openapi {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* json_type = "application/json";
constexpr const char* text_type = "text/plain; charset=utf-8";

std::string dump(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string text_of(const mcp::ToolResult& result) {
  std::string text;
  for (const auto& part : result.content) {
    if (part.kind == mcp::Content::Kind::text) text += part.data;
  }
  return text::to_utf8(text);
}

ordered_json files_of(const mcp::ToolResult& result) {
  ordered_json files = ordered_json::array();
  for (const auto& file : result.files) {
    files.push_back(
        {{"name", file.name}, {"link", file.link}, {"size", file.size}, {"picture", file.picture}});
  }
  return files;
}

mcp::Answer answer(const mcp::ToolResult& result, double seconds, bool as_text) {
  const std::string text = text_of(result);
  // Open WebUI marks a call whose text begins so as failed.
  if (as_text) return {200, text_type, {}, (result.is_error ? "Error: " : "") + text};
  ordered_json out;
  out["ran"] = !result.is_error;
  out["reason"] = result.reason.empty() ? "ok" : result.reason;
  out["exit_status"] = result.exit_status;
  out["seconds"] = seconds;
  out["text"] = text;
  out["files"] = files_of(result);
  return {200, json_type, {}, dump(out)};
}

// The arguments of a call; a request without a body has none.
Result<json> arguments_of(const std::string& body) {
  if (text::trim(body).empty()) return json::object();
  auto read = mcp::read_json(body);
  if (!read) return read.failure();
  if (!read->is_object()) return Failure{Reason::invalid, "The body must be a JSON object: the arguments."};
  return read;
}

Reason reason_of(const std::string& word) {
  for (int i = 0; i <= static_cast<int>(Reason::internal); ++i) {
    if (word == to_string(static_cast<Reason>(i))) return static_cast<Reason>(i);
  }
  return Reason::internal;
}

}  // namespace

bool wants_text(const mcp::Headers& headers) {
  for (const std::string& line : mcp::values(headers, "Accept")) {
    for (const std::string& range : text::split(line, ',')) {
      const std::string type = text::lower(text::trim(text::split(range, ';').front()));
      if (type == "text/plain" || type == "text/*") return true;
      if (type == "application/json" || type == "application/*") return false;
    }
  }
  const auto chat = mcp::values(headers, "X-OpenWebUI-Chat-Id");
  return !chat.empty() && !chat.front().empty();
}

mcp::Answer Endpoint::describe() const {
  return {200, json_type, {{"Cache-Control", "no-cache"}}, document(tools_, about_)};
}

mcp::Answer Endpoint::refusal(int status, const Failure& failure, const mcp::Headers& headers) {
  mcp::Answer out{status, json_type, {}, ""};
  if (status == 429) out.headers.emplace_back("Retry-After", "1");
  if (status == 503) out.headers.emplace_back("Retry-After", "5");
  if (wants_text(headers)) {
    out.content_type = text_type;
    out.body = text::to_utf8(failure.message);
  } else {
    out.body = dump({{"error", failure.message}, {"reason", to_string(failure.reason)}});
  }
  return out;
}

mcp::Answer Endpoint::call(const std::string& name, mcp::Post post, std::stop_token gone,
                           mcp::Heartbeat& heartbeat) const {
  if (!tools_.has(name)) {
    return refusal(
        404, {Reason::not_found, "There is no tool " + text::quoted(name, 80) + ": " + mcp::offered(tools_)},
        post.headers);
  }
  if (!post.body.empty() && !mcp::declares_json(post.headers))
    return refusal(415, {Reason::invalid, "Send Content-Type: application/json."}, post.headers);
  auto arguments = arguments_of(post.body);
  std::string().swap(post.body);
  if (!arguments) return refusal(400, {Reason::invalid, arguments.failure().message}, post.headers);
  const bool as_text = wants_text(post.headers);
  const auto started = std::chrono::steady_clock::now();
  heartbeat.may_begin(as_text ? "text/plain" : json_type);
  try {
    // An answer here has no place for a picture: in a chat it is shown as a file instead.
    Caller caller = post.caller;
    caller.inline_pictures = false;
    const mcp::ToolResult result = tools_.call(name, std::move(*arguments), caller, std::move(gone), {});
    if (!result.refusal.empty()) {
      const Reason reason = reason_of(result.reason);
      return refusal(status_of(reason), {reason, result.refusal}, post.headers);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
    return answer(result, std::round(took.count() * 1000) / 1000, as_text);
  } catch (const std::exception& fault) {
    log::error("the tool " + text::quoted(name, 60) + " failed by a fault of ours: " + fault.what());
    return refusal(500, {Reason::internal, "The server failed to answer this request: its log says why."},
                   post.headers);
  }
}

}  // namespace codebox::openapi
