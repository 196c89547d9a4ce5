#include "plugin/tool.hpp"

#include <codebox/plugin.hpp>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "plugin/plain_json.hpp"

namespace codebox::plugin {
namespace {

using nlohmann::json;

std::string text_of(const char* value) {
  return value ? value : "";
}

const char* maybe(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

bool has_type(const json& value, const std::string& type) {
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  if (type == "null") return value.is_null();
  return true;
}

bool has_one_of(const json& value, const json& types) {
  if (types.is_string()) return has_type(value, types.get<std::string>());
  if (!types.is_array()) return true;
  for (const json& type : types) {
    if (type.is_string() && has_type(value, type.get<std::string>())) return true;
  }
  return types.empty();
}

Failure unfit(const std::string& name, const std::string& what) {
  return {Reason::invalid, "The argument " + text::quoted(name, 60) + ' ' + what};
}

}  // namespace

std::vector<Tool> copy_tools(const cbx_tools& from) {
  std::vector<Tool> tools;
  for (auto tool = from.tools; tool && *tool; ++tool) {
    tools.push_back({text_of((*tool)->name), text_of((*tool)->title), text_of((*tool)->description),
                     text_of((*tool)->input_schema), text_of((*tool)->output_schema),
                     text_of((*tool)->annotations)});
  }
  return tools;
}

std::string broken_rule(const std::vector<Tool>& tools) {
  std::vector<cbx_tool> descriptors;
  std::vector<const cbx_tool*> list;
  descriptors.reserve(tools.size());
  for (const Tool& tool : tools) {
    descriptors.push_back({.name = tool.name.c_str(),
                           .title = maybe(tool.title),
                           .description = tool.description.c_str(),
                           .input_schema = tool.input_schema.c_str(),
                           .output_schema = maybe(tool.output_schema),
                           .annotations = maybe(tool.annotations),
                           .call = [](const cbx_tool_call*) -> std::uint32_t { return 0; }});
    list.push_back(&descriptors.back());
  }
  list.push_back(nullptr);
  if (const auto broken = sdk::check(cbx_tools{.tools = list.data()}); broken != sdk::fault::none)
    return std::string(sdk::rule(broken));
  for (const Tool& tool : tools) {
    const auto input = read_plain(tool.input_schema);
    if (!input || !input->is_object() || input->value("type", json()) != "object") {
      return "input_schema of the tool " + text::quoted(tool.name) +
             " must be a JSON object whose type is \"object\", nested 32 levels deep at most.";
    }
    for (const std::string& other : {tool.output_schema, tool.annotations}) {
      if (other.empty()) continue;
      if (const auto value = read_plain(other); !value || !value->is_object())
        return "output_schema and annotations of the tool " + text::quoted(tool.name) +
               " must be JSON objects, nested 32 levels deep at most.";
    }
  }
  return {};
}

Result<void> fits(const Tool& tool, const json& arguments) {
  const auto schema = read_plain(tool.input_schema);
  if (!schema) return {};
  const json properties = schema->value("properties", json::object());
  for (const json& name : schema->value("required", json::array())) {
    if (name.is_string() && !arguments.contains(name.get<std::string>()))
      return unfit(name.get<std::string>(), "is missing.");
  }
  const bool closed = schema->value("additionalProperties", json()) == false;
  for (const auto& [name, value] : arguments.items()) {
    const auto known = properties.is_object() ? properties.find(name) : properties.end();
    if (known == properties.end()) {
      if (closed) return unfit(name, "is none that this tool knows.");
    } else if (known->is_object() && known->contains("type") && !has_one_of(value, known->at("type"))) {
      return unfit(name, "must be of the type " + known->at("type").dump() + '.');
    }
  }
  return {};
}

}  // namespace codebox::plugin
