#include "mcp/methods.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "base/text.hpp"
#include "mcp/json_reader.hpp"
#include "mcp/notices.hpp"

namespace codebox::mcp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* instructions =
    "Every run_<language> tool runs one program in a fresh sandbox that is destroyed afterwards: nothing is "
    "kept "
    "between calls, so send the whole program each time, with the packages it needs in `libraries` and the "
    "user's "
    "files in `input_files`. Print what you want to see. Files that the program writes into /sandbox/output "
    "come back "
    "as links: copy those links verbatim, and never make one up. list_<language>_packages tells what is "
    "installed already, list_files which files there are.";

// How long a client may keep the list: plugins come and go while the server runs.
constexpr int list_ttl_ms = 60000;

// Every call of ours is bounded in what it can reach, but what a program does is up to its author.
ordered_json annotations(const ToolInfo& tool) {
  if (!tool.annotations.empty()) return ordered_json::parse(tool.annotations, nullptr, false);
  ordered_json out = {{"title", tool.title}, {"readOnlyHint", tool.read_only}};
  if (!tool.read_only) out["destructiveHint"] = false;
  out["openWorldHint"] = !tool.read_only;
  return out;
}

ordered_json describe(const ToolInfo& tool) {
  ordered_json schema = ordered_json::parse(tool.input_schema, nullptr, false);
  if (!schema.is_object()) schema = {{"type", "object"}};
  ordered_json out;
  out["name"] = tool.name;
  if (!tool.title.empty()) out["title"] = tool.title;
  out["description"] = tool.description;
  out["inputSchema"] = std::move(schema);
  if (!tool.output_schema.empty())
    out["outputSchema"] = ordered_json::parse(tool.output_schema, nullptr, false);
  out["annotations"] = annotations(tool);
  return out;
}

bool is_picture(const std::string& mime_type) {
  // Open WebUI loses the whole turn over any other kind, an SVG for example.
  constexpr std::array<std::string_view, 4> kinds = {"image/png", "image/jpeg", "image/gif", "image/webp"};
  return std::find(kinds.begin(), kinds.end(), mime_type) != kinds.end();
}

ordered_json resource(const Content& part) {
  ordered_json held = {{"uri", part.uri}};
  if (!part.mime_type.empty()) held["mimeType"] = part.mime_type;
  held[part.blob ? "blob" : "text"] = text::to_utf8(part.data);
  return {{"type", "resource"}, {"resource", std::move(held)}};
}

ordered_json link(const Content& part) {
  ordered_json out = {{"type", "resource_link"}, {"uri", part.uri}, {"name", part.name}};
  if (!part.description.empty()) out["description"] = part.description;
  if (!part.mime_type.empty()) out["mimeType"] = part.mime_type;
  return out;
}

// With `heavy`, also what is base64.
ordered_json content_of(const ToolResult& result, bool heavy) {
  ordered_json content = ordered_json::array();
  for (const auto& part : result.content) {
    if (part.kind == Content::Kind::text) {
      content.push_back({{"type", "text"}, {"text", text::to_utf8(part.data)}});
    } else if (part.kind == Content::Kind::link) {
      content.push_back(link(part));
    } else if (part.kind == Content::Kind::resource) {
      if (heavy || !part.blob) content.push_back(resource(part));
    } else if (heavy && (part.kind == Content::Kind::audio || is_picture(part.mime_type))) {
      const bool audio = part.kind == Content::Kind::audio;
      content.push_back({{"type", audio ? "audio" : "image"},
                         {"data", text::to_utf8(part.data)},
                         {"mimeType", part.mime_type}});
    }
  }
  return content;
}

std::string dump(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Reply invalid(const Turn& turn, const std::string& message) {
  return error(turn.modern ? 400 : 200, code::invalid_params, message);
}

ordered_json server(const std::string& version) {
  return {{"name", "codebox"}, {"version", version}};
}

void mark_modern(ordered_json& result, const std::string& version) {
  result["resultType"] = "complete";
  result["_meta"] = {{meta_server, server(version)}};
}

Reply set_level(const json& params, const Turn& turn) {
  const auto level = params.is_object() ? params.value("level", json()) : json();
  if (level.is_string() && is_log_level(level.get_ref<const std::string&>())) return success("{}");
  return invalid(turn,
                 "params.level is none of debug, info, notice, warning, error, critical, alert, emergency.");
}

}  // namespace

std::string offered(const Tools& tools) {
  std::vector<std::string> names;
  for (const auto& tool : tools.list()) names.push_back(tool.name);
  return "the tools are " + text::join(names, ", ") + ".";
}

Reply Methods::run(const std::string& method, json& params, const Turn& turn) {
  try {
    if (method == "tools/list") return list(params, turn);
    if (method == "tools/call") return call(params, turn);
    if (turn.modern && method == "server/discover") return discover();
    if (!turn.modern && method == "initialize") return initialize(params);
    if (!turn.modern && method == "ping") return success("{}");
    if (!turn.modern && method == "logging/setLevel") return set_level(params, turn);
  } catch (const std::exception& fault) {
    log::error("the method " + text::quoted(method, 60) + " failed by a fault of ours: " + fault.what());
    return error(200, code::internal, "The server failed to answer this request: its log says why.");
  }
  return error(turn.modern ? 404 : 200, code::no_method,
               "There is no method " + text::quoted(method, 60) + " here.");
}

Reply Methods::discover() const {
  ordered_json out;
  mark_modern(out, version_);
  out["supportedVersions"] = {modern_version};
  out["capabilities"] = {{"tools", ordered_json::object()}};
  out["instructions"] = instructions;
  out["ttlMs"] = list_ttl_ms;
  out["cacheScope"] = "private";
  return success(dump(out));
}

Reply Methods::initialize(const json& params) const {
  const auto asked = params.is_object() ? params.value("protocolVersion", json()) : json();
  if (!asked.is_string()) return error(200, code::invalid_params, "params.protocolVersion must be a text.");
  const auto& version = asked.get_ref<const std::string&>();
  ordered_json out;
  out["protocolVersion"] = is_legacy(version) ? version : std::string(legacy_versions.back());
  out["capabilities"] = {{"logging", ordered_json::object()}, {"tools", ordered_json::object()}};
  out["serverInfo"] = server(version_);
  out["instructions"] = instructions;
  return success(dump(out));
}

Reply Methods::list(const json& params, const Turn& turn) const {
  const auto cursor = params.is_object() ? params.value("cursor", json()) : json();
  // One page holds all, so that the empty cursor is the only one that can be valid.
  if (!cursor.is_null() && cursor != "")
    return invalid(turn, "params.cursor was not given out by this server.");
  return success(listed(turn.modern));
}

std::string Methods::listed(bool modern) const {
  // Asked before the list: where it changes in between, the next request makes the text anew.
  const auto edition = tools_.edition();
  if (edition == 0) return describe_all(modern);
  {
    const std::lock_guard lock(mutex_);
    if (listed_[modern].edition == edition) return listed_[modern].text;
  }
  std::string text = describe_all(modern);
  const std::lock_guard lock(mutex_);
  listed_[modern] = {edition, text};
  return text;
}

std::string Methods::describe_all(bool modern) const {
  ordered_json out;
  if (modern) mark_modern(out, version_);
  out["tools"] = ordered_json::array();
  for (const auto& tool : tools_.list()) out["tools"].push_back(describe(tool));
  if (modern) {
    out["ttlMs"] = list_ttl_ms;
    out["cacheScope"] = "private";
  }
  return dump(out);
}

Reply Methods::call(json& params, const Turn& turn) {
  const auto name = params.is_object() ? params.value("name", json()) : json();
  if (!name.is_string()) return invalid(turn, "params.name must be the name of a tool.");
  const auto& tool = name.get_ref<const std::string&>();
  json arguments = json::object();
  if (const auto given = params.find("arguments"); given != params.end() && !given->is_null())
    arguments = std::move(*given);
  // Some clients pass on what the model wrote, which is JSON as a text.
  if (arguments.is_string()) {
    if (auto read = read_json(arguments.get_ref<const std::string&>())) arguments = std::move(*read);
  }
  if (!arguments.is_object()) return invalid(turn, "params.arguments must be an object.");
  // With status 200 in both eras: a client that probes with a call takes a bare 400 for an old server.
  if (!tools_.has(tool))
    return error(200, code::invalid_params,
                 "Unknown tool: " + text::quoted(tool, 80) + "; " + offered(tools_));

  turn.slow();
  const Notices notices(params, turn.modern, turn.notify);
  const ToolResult result = tools_.call(tool, std::move(arguments), turn.caller, turn.cancel,
                                        [&notices](const Notice& notice) { notices.tell(notice); });
  if (turn.cancel.stop_requested()) return error(200, code::cancelled, "The call was cancelled.");
  if (result.error) {
    const bool refused = turn.modern && result.error->code == code::missing_capability;
    return error(refused ? 400 : 200, result.error->code, result.error->message, result.error->data);
  }
  ordered_json out;
  if (turn.modern) mark_modern(out, version_);
  if (!result.reason.empty()) out["_meta"][meta_reason] = result.reason;
  out["content"] = content_of(result, true);
  if (!result.structured.empty())
    out["structuredContent"] = ordered_json::parse(result.structured, nullptr, false);
  out["isError"] = result.is_error;
  std::string text = dump(out);
  if (const std::size_t most = turn.max_bytes(); most > 0 && text.size() > most) {
    out["content"] = content_of(result, false);
    text = dump(out);
  }
  return success(std::move(text));
}

}  // namespace codebox::mcp
