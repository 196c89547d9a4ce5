#include "mcp/modern.hpp"

#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "mcp/headers.hpp"

namespace codebox::mcp {
namespace {

using nlohmann::json;

Reply mismatch(const std::string& message) {
  return error(400, code::header_mismatch, message);
}
Reply invalid(const std::string& message) {
  return error(400, code::invalid_params, message);
}

std::optional<Reply> refuse_meta(const json& params) {
  const auto meta = params.is_object() ? params.find("_meta") : params.end();
  if (!params.is_object() || meta == params.end() || !meta->is_object()) {
    return invalid("params._meta is missing: a request of " + std::string(modern_version) +
                   " carries its protocol version and capabilities there.");
  }
  const auto version = meta->find(meta_version);
  if (version == meta->end() || !version->is_string()) {
    return invalid("params._meta has no text " + text::quoted(meta_version) +
                   ": put the protocol version there.");
  }
  const auto capabilities = meta->find(meta_capabilities);
  if (capabilities == meta->end() || !capabilities->is_object()) {
    return invalid("params._meta has no object " + text::quoted(meta_capabilities) +
                   ": send {} if there are none.");
  }
  return std::nullopt;
}

std::optional<Reply> refuse_header(const Headers& headers, const char* name, const std::string& expected,
                                   bool wrapped) {
  const auto found = values(headers, name);
  if (found.empty()) return mismatch(std::string("The header ") + name + " is missing.");
  const auto value = wrapped ? unwrapped(found[0]) : std::optional<std::string>(found[0]);
  if (!value)
    return mismatch(std::string("The header ") + name + " is wrapped as base64 but does not decode.");
  if (*value == expected) return std::nullopt;
  return mismatch(std::string("The header ") + name + " says " + text::quoted(*value, 60) +
                  " but the body says " + text::quoted(expected, 60) + '.');
}

// The member of params that Mcp-Name repeats, or nothing where the method has none.
const char* named_by(const std::string& method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  if (method == "resources/read") return "uri";
  return nullptr;
}

std::optional<Reply> refuse_routing(const Headers& headers, const std::string& method, const json& params) {
  for (const char* name : {"MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"}) {
    if (values(headers, name).size() > 1) return mismatch(std::string("The header ") + name + " came twice.");
  }
  const auto version = params.at("_meta").at(meta_version).get<std::string>();
  if (auto refusal = refuse_header(headers, "MCP-Protocol-Version", version, false)) return refusal;
  if (auto refusal = refuse_header(headers, "Mcp-Method", method, false)) return refusal;
  const char* member = named_by(method);
  if (member == nullptr) return std::nullopt;
  const auto name = params.find(member);
  if (name != params.end() && name->is_string()) {
    return refuse_header(headers, "Mcp-Name", name->get<std::string>(), true);
  }
  if (values(headers, "Mcp-Name").empty()) return std::nullopt;
  return mismatch(std::string("The header Mcp-Name is there but the body has no text params.") + member +
                  '.');
}

bool equal(const json& value, const std::string& header) {
  if (value.is_string()) return value.get_ref<const std::string&>() == header;
  if (value.is_boolean()) return header == (value.get<bool>() ? "true" : "false");
  if (!value.is_number_integer()) return false;
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(header.data(), header.data() + header.size(), number);
  return failed == std::errc() && end == header.data() + header.size() && value == number;
}

std::optional<Reply> refuse_parameter(const Headers& headers, const std::string& header, const json& value) {
  const auto found = values(headers, header);
  const bool absent = value.is_null();
  if (absent && found.empty()) return std::nullopt;
  if (absent) return mismatch("The header " + header + " is there but its argument is not.");
  if (found.empty()) return mismatch("The header " + header + " is missing but its argument is there.");
  const auto text = unwrapped(found[0]);
  if (found.size() == 1 && text && equal(value, *text)) return std::nullopt;
  return mismatch("The header " + header + " does not say what its argument says.");
}

// Only a tool that mirrors arguments into headers pays for reading its schema again.
std::optional<Reply> refuse_parameters(const Headers& headers, const json& params, const Tools& tools) {
  const auto name = params.find("name");
  if (name == params.end() || !name->is_string()) return std::nullopt;
  const std::string text = tools.input_schema(name->get_ref<const std::string&>());
  if (text.find("x-mcp-header") == std::string::npos) return std::nullopt;
  const json schema = json::parse(text, nullptr, false);
  if (!schema.is_object() || !schema.contains("properties")) return std::nullopt;
  static const json none;
  const auto given = params.find("arguments");
  const json& arguments = given == params.end() ? none : *given;
  for (const auto& [property, rule] : schema.at("properties").items()) {
    if (!rule.is_object() || !rule.contains("x-mcp-header") || !rule.at("x-mcp-header").is_string()) continue;
    const json value = arguments.is_object() ? arguments.value(property, json()) : json();
    const auto header = "Mcp-Param-" + rule.at("x-mcp-header").get<std::string>();
    if (auto refusal = refuse_parameter(headers, header, value)) return refusal;
  }
  return std::nullopt;
}

}  // namespace

Reply unsupported_version(const std::string& requested) {
  const json data = {{"supported", {modern_version}}, {"requested", requested}};
  return error(400, code::unsupported_version,
               "Protocol version " + text::quoted(requested, 60) +
                   " is not spoken here without a handshake: use " + std::string(modern_version) +
                   ", or initialize.",
               data.dump());
}

std::optional<Reply> refuse_modern(const Headers& headers, const std::string& method, const json& params,
                                   const Tools& tools) {
  if (auto refusal = refuse_meta(params)) return refusal;
  if (auto refusal = refuse_routing(headers, method, params)) return refusal;
  const json& meta = params.at("_meta");
  const auto& version = meta.at(meta_version).get_ref<const std::string&>();
  if (version != modern_version) return unsupported_version(version);
  if (method == "tools/call") {
    if (auto refusal = refuse_parameters(headers, params, tools)) return refusal;
  }
  const auto level = meta.find(meta_log_level);
  if (level != meta.end() && !(level->is_string() && is_log_level(level->get_ref<const std::string&>()))) {
    return invalid(
        "The log level in params._meta is none of debug, info, notice, warning, error, critical, alert, "
        "emergency.");
  }
  return std::nullopt;
}

}  // namespace codebox::mcp
