#include "plugin/spec_json.hpp"

#include <nlohmann/json.hpp>

#include "base/encoding.hpp"
#include "base/text.hpp"

namespace codebox::plugin {
namespace {

using Json = nlohmann::json;

Json out(const Command& c) {
  return {{"argv", c.argv}, {"time_ms", c.time.count()}, {"memory", c.memory}};
}
Json out(const std::optional<Command>& c) {
  return c ? out(*c) : Json();
}

Json out(const std::optional<Packages>& p) {
  if (!p) return {};
  return {{"noun", p->noun},
          {"example", p->example},
          {"extra_characters", p->extra_characters},
          {"longest", p->longest},
          {"most", p->most},
          {"install", out(p->install)},
          {"verify", out(p->verify)},
          {"install_env", p->install_env},
          {"env", p->env},
          {"index_variables", p->index_variables}};
}

std::string word(const Json& in, const char* name) {
  auto value = in.at(name).get<std::string>();
  if (value.find('\0') != std::string::npos) throw std::runtime_error(std::string(name) + " holds a NUL");
  return value;
}

std::vector<std::string> words(const Json& in, const char* name) {
  auto values = in.at(name).get<std::vector<std::string>>();
  for (const auto& value : values) {
    if (value.find('\0') != std::string::npos) throw std::runtime_error(std::string(name) + " holds a NUL");
  }
  return values;
}

/// Numbers are unsigned and small; nlohmann would convert a negative one silently.
std::uint64_t number(const Json& in, const char* name) {
  const Json& value = in.at(name);
  if (!value.is_number_unsigned()) throw std::runtime_error(std::string(name) + " is not a number");
  const auto n = value.get<std::uint64_t>();
  if (n > (std::uint64_t{1} << 50)) throw std::runtime_error(std::string(name) + " is too large");
  return n;
}

std::string bytes(const Json& in) {
  auto bytes = encoding::from_hex(in.at("hex").get_ref<const std::string&>());
  if (!bytes) throw std::runtime_error("support bytes are not hexadecimal");
  return std::move(*bytes);
}

Json out(const Tool& t) {
  return {{"name", t.name},
          {"title", t.title},
          {"description", t.description},
          {"input_schema", t.input_schema},
          {"output_schema", t.output_schema},
          {"annotations", t.annotations}};
}

Tool tool(const Json& in) {
  return {word(in, "name"),         word(in, "title"),         word(in, "description"),
          word(in, "input_schema"), word(in, "output_schema"), word(in, "annotations")};
}

Command command(const Json& in) {
  return {words(in, "argv"), std::chrono::milliseconds(number(in, "time_ms")), number(in, "memory")};
}

std::optional<Command> maybe_command(const Json& in, const char* name) {
  const Json& value = in.at(name);
  if (value.is_null()) return std::nullopt;
  return command(value);
}

std::optional<Packages> packages(const Json& in) {
  if (in.is_null()) return std::nullopt;
  Packages p;
  p.noun = word(in, "noun");
  p.example = word(in, "example");
  p.extra_characters = word(in, "extra_characters");
  p.longest = number(in, "longest");
  p.most = number(in, "most");
  p.install = command(in.at("install"));
  p.verify = maybe_command(in, "verify");
  p.install_env = words(in, "install_env");
  p.env = words(in, "env");
  p.index_variables = words(in, "index_variables");
  return p;
}

LanguageSpec spec(const Json& in) {
  LanguageSpec s;
  s.id = word(in, "id");
  s.version = word(in, "version");
  s.display_name = word(in, "display_name");
  s.description = word(in, "description");
  s.image = word(in, "image");
  s.source_file = word(in, "source_file");
  s.compile = maybe_command(in, "compile");
  s.run = command(in.at("run"));
  s.list = maybe_command(in, "list");
  s.list_format = in.at("list_json").get<bool>() ? ListFormat::json : ListFormat::lines;
  s.packages = packages(in.at("packages"));
  s.env = words(in, "env");
  for (const Json& file : in.at("support")) {
    s.support.push_back({word(file, "name"), bytes(file)});
  }
  s.ignore = words(in, "ignore");
  for (const Json& hint : in.at("hints")) s.hints.push_back({word(hint, "pattern"), word(hint, "hint")});
  const Json& sample = in.at("sample");
  s.sample = {word(sample, "code"), word(sample, "input"), word(sample, "output")};
  s.architectures = words(in, "architectures");
  s.warm = words(in, "warm");
  s.aliases = words(in, "aliases");
  for (const Json& each : in.value("tools", Json::array())) s.tools.push_back(tool(each));
  return s;
}

}  // namespace

std::string encode(const LanguageSpec& s) {
  Json support = Json::array();
  for (const auto& file : s.support)
    support.push_back({{"name", file.name}, {"hex", encoding::to_hex(file.bytes)}});
  Json hints = Json::array();
  for (const auto& hint : s.hints) hints.push_back({{"pattern", hint.pattern}, {"hint", hint.hint}});
  Json json = {{"id", s.id},
               {"version", s.version},
               {"display_name", s.display_name},
               {"description", s.description},
               {"image", s.image},
               {"source_file", s.source_file},
               {"compile", out(s.compile)},
               {"run", out(s.run)},
               {"list", out(s.list)},
               {"list_json", s.list_format == ListFormat::json},
               {"packages", out(s.packages)},
               {"env", s.env},
               {"support", support},
               {"ignore", s.ignore},
               {"hints", hints},
               {"sample", {{"code", s.sample.code}, {"input", s.sample.input}, {"output", s.sample.output}}},
               {"architectures", s.architectures},
               {"warm", s.warm},
               {"aliases", s.aliases}};
  // A language without them is described as it was before there were any.
  for (const auto& each : s.tools) json["tools"].push_back(out(each));
  return json.dump();
}

Result<LanguageSpec> decode(std::string_view json) {
  try {
    return spec(Json::parse(json));
  } catch (const std::exception& error) {
    return Failure{Reason::invalid, text::one_line(error.what())};
  }
}

}  // namespace codebox::plugin
