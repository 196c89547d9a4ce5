#include <nlohmann/json.hpp>

#include "run/arguments.hpp"

namespace codebox::run {

using nlohmann::json;

// Flat, without $defs, which some clients drop; every optional argument may be left out.
std::string run_schema(const plugin::LanguageSpec& language, std::chrono::milliseconds longest) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(longest).count();
  json properties;
  properties["code"] = {
      {"type", "string"},
      {"description", "The whole " + language.display_name + " program. It runs in /sandbox as " +
                          language.source_file + "; print what you want to see."}};
  if (language.packages) {
    properties["libraries"] = {
        {"type", "array"},
        {"items", {{"type", "string"}}},
        {"description", language.packages->noun + "s to install before the program runs, for example [\"" +
                            language.packages->example + "\"]. Only what the image does not have already."}};
  }
  properties["input_files"] = {
      {"type", "array"},
      {"items",
       {{"type", "object"},
        {"properties",
         {{"id", {{"type", "string"}, {"description", "Name or id of a file of the chat: attached, or made by an earlier program."}}},
          {"path",
           {{"type", "string"}, {"description", "Where the program finds it, for example \"data.csv\"."}}},
          {"text", {{"type", "string"}, {"description", "Instead of id: the content itself."}}},
          {"base64", {{"type", "string"}, {"description", "Instead of id: binary content in base64."}}}}}}},
      {"description", "Files to put into /sandbox before the program runs."}};
  properties["output_files"] = {{"type", "array"},
                                {"items", {{"type", "string"}}},
                                {"description",
                                 "Paths or globs of files to hand to the user. Whatever lies in "
                                 "/sandbox/output comes back without being named."}};
  properties["stdin"] = {{"type", "string"},
                         {"description", "Text that the program reads from standard input."}};
  properties["timeout"] = {
      {"type", "number"},
      {"description", "Seconds for the whole call, at most " + std::to_string(seconds) + "."}};
  const json schema = {{"type", "object"}, {"properties", properties}, {"required", {"code"}}};
  return schema.dump();
}

}  // namespace codebox::run
