#include "plugin/descriptor.hpp"

namespace codebox::plugin {
namespace {

std::string text(const char* value) {
  return value ? value : "";
}

std::vector<std::string> texts(cbx_strings list) {
  std::vector<std::string> values;
  for (; list && *list; ++list) values.emplace_back(*list);
  return values;
}

Command command(const cbx_command& from) {
  return {texts(from.argv), std::chrono::milliseconds(from.time_ms), std::uint64_t{from.memory_mib} << 20};
}

std::optional<Command> maybe(const cbx_command* from) {
  if (!from) return std::nullopt;
  return command(*from);
}

Packages packages(const cbx_packages& from) {
  Packages p;
  p.noun = text(from.noun);
  p.example = text(from.example);
  p.extra_characters = text(from.extra_characters);
  p.longest = from.longest;
  p.most = from.most;
  p.install = command(*from.install);
  p.verify = maybe(from.verify);
  p.install_env = texts(from.install_env);
  p.env = texts(from.env);
  p.index_variables = texts(from.index_variables);
  return p;
}

}  // namespace

LanguageSpec copy_descriptor(const cbx_plugin& from) {
  LanguageSpec s;
  s.id = text(from.id);
  s.version = text(from.version);
  s.display_name = text(from.display_name);
  s.description = text(from.description);
  s.image = text(from.image);
  s.source_file = text(from.source_file);
  s.compile = maybe(from.compile);
  s.run = command(*from.run);
  s.list = maybe(from.list);
  s.list_format = from.list_format == CBX_LIST_JSON ? ListFormat::json : ListFormat::lines;
  if (from.packages) s.packages = packages(*from.packages);
  s.env = texts(from.env);
  for (auto file = from.support; file && *file; ++file) {
    s.support.push_back(
        {text((*file)->name), std::string((*file)->bytes ? (*file)->bytes : "", (*file)->length)});
  }
  s.ignore = texts(from.ignore);
  for (auto hint = from.hints; hint && *hint; ++hint)
    s.hints.push_back({text((*hint)->pattern), text((*hint)->text)});
  s.sample = {text(from.sample->code), text(from.sample->input), text(from.sample->output)};
  s.architectures = texts(from.architectures);
  s.warm = texts(from.warm);
  s.aliases = texts(from.aliases);
  return s;
}

}  // namespace codebox::plugin
