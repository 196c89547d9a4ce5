#include "app/toolbox.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "base/text.hpp"
#include "openwebui/file_names.hpp"

namespace codebox::app {
namespace {

mcp::ToolResult to_result(run::Outcome outcome) {
  mcp::ToolResult result;
  result.is_error = outcome.is_error;
  result.content.push_back({mcp::Content::Kind::text, std::move(outcome.text), {}});
  for (run::Picture& picture : outcome.pictures) {
    result.content.push_back(
        {mcp::Content::Kind::image, std::move(picture.base64), std::move(picture.mime_type)});
  }
  return result;
}

mcp::ToolResult refused(const Failure& failure) {
  return to_result({true, failure.message, {}, 1});
}

}  // namespace

Toolbox::Toolbox(std::shared_ptr<const plugin::Registry> registry, const run::Options& options,
                 run::Runner& runner, quota::Quota& quota, openwebui::Files& files)
    : registry_(std::move(registry)), options_(options), runner_(runner), quota_(quota), files_(files) {
  tools_.push_back(
      {{"list_files", "List files",
        "Lists the files that programs can use: those that the user attached to this chat and those "
        "that programs made in it, with their ids.",
        R"({"type":"object","properties":{}})", true},
       nullptr,
       Tool::Kind::files});
  for (const auto& language : registry_->languages) add(language);
  std::sort(tools_.begin(), tools_.end(),
            [](const Tool& a, const Tool& b) { return a.info.name < b.info.name; });
}

void Toolbox::add(const std::shared_ptr<const plugin::LanguageSpec>& language) {
  const std::string id = language->id;
  const std::string& name = language->display_name;
  tools_.push_back({{"run_" + id, "Run " + name, language->description,
                     run::run_schema(*language, options_.exec_timeout), false},
                    language,
                    Tool::Kind::run});
  if (language->list) {
    tools_.push_back({{"list_" + id + "_packages", name + " packages",
                       "Lists the packages that " + name + " programs can use at once, with their versions.",
                       R"({"type":"object","properties":{}})", true},
                      language,
                      Tool::Kind::packages});
  }
}

const Toolbox::Tool* Toolbox::find(const std::string& name) const {
  const auto at =
      std::find_if(tools_.begin(), tools_.end(), [&](const Tool& tool) { return tool.info.name == name; });
  return at == tools_.end() ? nullptr : &*at;
}

std::vector<mcp::ToolInfo> Toolbox::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<mcp::ToolInfo> infos;
  for (const Tool& tool : tools_) {
    infos.push_back(tool.info);
    const auto contents = contents_.find(tool.info.name);
    if (contents != contents_.end())
      infos.back().description += " The image already has: " + contents->second + '.';
  }
  return infos;
}

void Toolbox::describe_images() {
  std::map<std::string, std::string> found;
  for (const Tool& tool : tools_) {
    if (tool.kind != Tool::Kind::run) continue;
    if (std::string contents = runner_.contents(*tool.language); !contents.empty())
      found[tool.info.name] = std::move(contents);
  }
  const std::lock_guard lock(mutex_);
  contents_ = std::move(found);
}

bool Toolbox::has(const std::string& name) const {
  return find(name) != nullptr;
}

mcp::ToolResult Toolbox::call(const std::string& name, const nlohmann::json& arguments, const Caller& caller,
                              std::stop_token cancel) {
  const Tool* tool = find(name);
  if (!tool) return refused({Reason::not_found, "There is no tool named " + text::quoted(name) + "."});
  run::Arguments wanted;
  if (tool->kind == Tool::Kind::run) {
    auto read = run::read_arguments(arguments, *tool->language);
    if (!read) return refused(read.failure());
    wanted = std::move(*read);
  }
  auto slot = quota_.take(caller.user);
  if (!slot) return refused(slot.failure());
  log::info(name + " for user " + text::quoted(caller.user, 64));
  switch (tool->kind) {
    case Tool::Kind::files:
      return list_files(caller, std::move(cancel));
    case Tool::Kind::packages:
      return to_result(runner_.list_packages(*tool->language, std::move(cancel)));
    case Tool::Kind::run:
      break;
  }
  return to_result(runner_.run(*tool->language, wanted, caller, std::move(cancel)));
}

mcp::ToolResult Toolbox::list_files(const Caller& caller, std::stop_token cancel) {
  constexpr std::chrono::seconds patience{15};
  const auto known = files_.list(caller, std::chrono::steady_clock::now() + patience, std::move(cancel));
  return known ? to_result({false, openwebui::listing(*known), {}, 0}) : refused(known.failure());
}

}  // namespace codebox::app
