#include "openapi/document.hpp"

#include <nlohmann/json.hpp>

#include "openapi/statuses.hpp"

namespace codebox::openapi {
namespace {

using nlohmann::ordered_json;

ordered_json reference(const char* schema) {
  return {{"$ref", std::string("#/components/schemas/") + schema}};
}

ordered_json text(const char* description) {
  return {{"type", "string"}, {"description", description}};
}

ordered_json file_schema() {
  ordered_json out = {{"type", "object"},
                      {"title", "ReturnedFile"},
                      {"description", "A file that the program left for its caller."},
                      {"required", {"name", "link", "size", "picture"}}};
  out["properties"]["name"] = text("The file's name, for example plot.png.");
  out["properties"]["link"] = text(
      "Where it can be fetched: an absolute URL that expires, or a path of the caller's Open WebUI, to be "
      "fetched there with the same token.");
  out["properties"]["size"] = {{"type", "integer"}, {"minimum", 0}, {"description", "Bytes."}};
  out["properties"]["picture"] = {{"type", "boolean"}, {"description", "Whether a browser shows it inline."}};
  return out;
}

ordered_json result_schema() {
  ordered_json out = {
      {"type", "object"},
      {"title", "ToolResult"},
      {"description", "How a call came out. A program that failed is a result like any other."},
      {"required", {"ran", "reason", "exit_status", "seconds", "text", "files"}}};
  out["properties"]["ran"] = {
      {"type", "boolean"},
      {"description", "False when the program never started, for example because a package is unknown."}};
  out["properties"]["reason"] =
      text("A stable word to branch on: ok, failed, timeout, out_of_memory, install, not_found and others.");
  out["properties"]["exit_status"] = {
      {"type", "integer"},
      {"description", "The program's; 128 and the signal's number for a signal, 124 for a timeout."}};
  out["properties"]["seconds"] = {
      {"type", "number"}, {"minimum", 0}, {"description", "How long the whole call took."}};
  out["properties"]["text"] =
      text("What a model should read: output, how it ended, links in Markdown, hints. Never base64.");
  out["properties"]["files"] = {{"type", "array"},
                                {"items", reference("ReturnedFile")},
                                {"description", "Files for the caller, pictures among them, in order."}};
  return out;
}

ordered_json error_schema() {
  ordered_json out = {{"type", "object"},
                      {"title", "ToolError"},
                      {"description", "Why a call was not taken up."},
                      {"required", {"error", "reason"}}};
  out["properties"]["error"] = text("One sentence: what, which value, what to do.");
  out["properties"]["reason"] = text("A stable word to branch on, for example invalid or rate_limited.");
  return out;
}

ordered_json error_responses() {
  ordered_json out;
  for (const Refusal& refusal : refusals) {
    ordered_json& response = out[std::to_string(refusal.status)];
    response["description"] = refusal.meaning;
    if (refusal.waits) {
      response["headers"]["Retry-After"] = {{"description", "Seconds until another try is worth it."},
                                            {"schema", {{"type", "integer"}}}};
    }
    response["content"]["application/json"]["schema"] = reference("ToolError");
    response["content"]["text/plain"]["schema"] = {{"type", "string"}};
  }
  return out;
}

ordered_json example_result(bool runs) {
  if (!runs) {
    return {{"ran", true},
            {"reason", "ok"},
            {"exit_status", 0},
            {"seconds", 0.01},
            {"text", "The image has 2 packages ready:\nnumpy 2.1\npandas 2.2\n"},
            {"files", ordered_json::array()}};
  }
  const char* said = "42\n[exit status 0, 0.05 s]\n";
  return {{"ran", true},     {"reason", "ok"}, {"exit_status", 0},
          {"seconds", 0.12}, {"text", said},   {"files", ordered_json::array()}};
}

ordered_json operation(const mcp::ToolInfo& tool) {
  ordered_json schema = ordered_json::parse(tool.input_schema, nullptr, false);
  if (!schema.is_object()) schema = {{"type", "object"}};
  const bool runs = !tool.read_only;
  ordered_json out;
  out["operationId"] = tool.name;
  out["summary"] = tool.title.empty() ? tool.name : tool.title;
  out["description"] = tool.description;
  out["tags"] = {runs ? "programs" : "information"};
  out["requestBody"]["required"] = schema.contains("required");
  ordered_json& content = out["requestBody"]["content"]["application/json"];
  content["schema"] = std::move(schema);
  ordered_json& good = out["responses"]["200"];
  good["description"] = "How the call came out; `reason` tells whether the program succeeded.";
  good["content"]["application/json"] = {{"schema", reference("ToolResult")},
                                         {"example", example_result(runs)}};
  good["content"]["text/plain"]["schema"] = text("The member `text` of the result alone.");
  out["responses"].update(error_responses());
  return out;
}

}  // namespace

std::string document(const mcp::Tools& tools, const About& about) {
  ordered_json out;
  out["openapi"] = "3.1.0";
  out["info"] = {{"title", "Codebox"},
                 {"version", about.version},
                 {"description",
                  "Runs programs in fresh sandboxes, one for each call. Closing the connection ends the "
                  "program. While a program runs, spaces may come ahead of the answer, which JSON readers "
                  "skip. Ask with `Accept: text/plain` for the text for a model alone."},
                 {"license", {{"name", "MIT"}, {"identifier", "MIT"}}}};
  if (!about.public_url.empty()) out["servers"] = ordered_json::array({{{"url", about.public_url}}});
  out["tags"] =
      ordered_json::array({{{"name", "programs"}, {"description", "Run a program of one language."}},
                           {{"name", "information"},
                            {"description", "What there is, without running anything of the caller's."}}});
  out["security"] = ordered_json::array({{{"bearer", ordered_json::array()}}});
  out["paths"] = ordered_json::object();
  for (const auto& tool : tools.list()) out["paths"]["/tools/" + tool.name]["post"] = operation(tool);
  ordered_json& components = out["components"];
  components["schemas"] = {
      {"ToolResult", result_schema()}, {"ReturnedFile", file_schema()}, {"ToolError", error_schema()}};
  components["securitySchemes"]["bearer"] = {
      {"type", "http"},
      {"scheme", "bearer"},
      {"bearerFormat", "JWT"},
      {"description",
       "The person's own token of Open WebUI, or one that `codebox token --user NAME` makes."}};
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace codebox::openapi
