#include "app/toolbox.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/graph.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "openwebui/file_names.hpp"
#include "plugin/tool_call.hpp"

namespace codebox::app {
namespace {

mcp::ToolResult to_result(run::Outcome outcome) {
  mcp::ToolResult result;
  result.is_error = outcome.is_error;
  if (outcome.is_error) outcome.text += "\n[reason] " + outcome.reason;
  result.reason = std::move(outcome.reason);
  result.exit_status = outcome.exit_status;
  for (const run::ReturnedFile& file : outcome.files)
    result.files.push_back({file.stored.name, file.stored.link, file.size, file.picture});
  result.content.push_back({mcp::Content::Kind::text, std::move(outcome.text), {}});
  for (run::Picture& picture : outcome.pictures) {
    result.content.push_back(
        {mcp::Content::Kind::image, std::move(picture.base64), std::move(picture.mime_type)});
  }
  return result;
}

mcp::Content to_content(plugin::ToolContent&& from) {
  using From = plugin::ToolContent::Kind;
  using To = mcp::Content::Kind;
  mcp::Content out;
  out.kind = from.kind == From::text       ? To::text
             : from.kind == From::image    ? To::image
             : from.kind == From::audio    ? To::audio
             : from.kind == From::resource ? To::resource
                                           : To::link;
  out.data = std::move(from.data);
  out.mime_type = std::move(from.mime_type);
  out.uri = std::move(from.uri);
  out.name = std::move(from.name);
  out.description = std::move(from.description);
  out.blob = from.binary;
  return out;
}

mcp::ToolResult to_result(plugin::ToolOutcome&& outcome) {
  mcp::ToolResult result;
  result.is_error = outcome.is_error || outcome.error;
  for (auto& part : outcome.content) result.content.push_back(to_content(std::move(part)));
  // Not every client reads the structured content.
  if (result.content.empty() && !outcome.structured.empty())
    result.content.push_back({mcp::Content::Kind::text, outcome.structured, {}});
  if (!result.is_error) result.structured = std::move(outcome.structured);
  if (outcome.error) {
    result.content.push_back({mcp::Content::Kind::text, outcome.error->message, {}});
    result.error = mcp::ToolError{outcome.error->code, outcome.error->message, outcome.error->data};
  }
  return result;
}

mcp::ToolResult refused(const Failure& failure) {
  mcp::ToolResult result = to_result(run::not_run(failure));
  result.refusal = failure.message;
  return result;
}

}  // namespace

Toolbox::Toolbox(std::shared_ptr<const plugin::Registry> registry, const run::Options& options,
                 run::Runner& runner, quota::Quota& quota, openwebui::Files& files)
    : options_(options), runner_(runner), quota_(quota), files_(files), offer_(make(std::move(registry))) {}

void Toolbox::replace(std::shared_ptr<const plugin::Registry> registry) {
  auto offer = make(std::move(registry));
  const std::lock_guard lock(mutex_);
  offer_.swap(offer);
  ++edition_;
}

std::shared_ptr<const Toolbox::Offer> Toolbox::now() const {
  const std::lock_guard lock(mutex_);
  return offer_;
}

std::shared_ptr<const plugin::Registry> Toolbox::registry() const {
  return now()->registry;
}

std::shared_ptr<const Toolbox::Offer> Toolbox::make(std::shared_ptr<const plugin::Registry> registry) const {
  auto offer = std::make_shared<Offer>();
  offer->tools.push_back(
      {{"list_files", "List files",
        "Lists the files that programs can use: those that the user attached to this chat and those "
        "that programs made in it, with their ids.",
        R"({"type":"object","properties":{}})", true},
       nullptr,
       Tool::Kind::files});
  for (const auto& language : registry->languages) offer->add(language, options_);
  std::sort(offer->tools.begin(), offer->tools.end(),
            [](const Tool& a, const Tool& b) { return a.info.name < b.info.name; });
  offer->registry = std::move(registry);
  return offer;
}

void Toolbox::Offer::add(const std::shared_ptr<const plugin::LanguageSpec>& language,
                         const run::Options& options) {
  const std::string id = language->id;
  const std::string& name = language->display_name;
  tools.push_back({{"run_" + id, "Run " + name, language->description,
                    run::run_schema(*language, options.exec_timeout), false},
                   language,
                   Tool::Kind::run});
  if (language->list) {
    tools.push_back({{"list_" + id + "_packages", name + " packages",
                      "Lists the packages that " + name + " programs can use at once, with their versions.",
                      R"({"type":"object","properties":{}})", true},
                     language,
                     Tool::Kind::packages});
  }
  for (std::size_t i = 0; i < language->tools.size(); ++i) {
    const plugin::Tool& tool = language->tools[i];
    tools.push_back({{tool.name, tool.title, tool.description, tool.input_schema, false, tool.output_schema,
                      tool.annotations},
                     language,
                     Tool::Kind::own,
                     i});
  }
}

const Toolbox::Tool* Toolbox::Offer::find(const std::string& name) const {
  const auto at =
      std::find_if(tools.begin(), tools.end(), [&](const Tool& tool) { return tool.info.name == name; });
  return at == tools.end() ? nullptr : &*at;
}

std::vector<mcp::ToolInfo> Toolbox::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<mcp::ToolInfo> infos;
  for (const Tool& tool : offer_->tools) {
    infos.push_back(tool.info);
    const auto contents = contents_.find(tool.info.name);
    if (contents != contents_.end())
      infos.back().description += " The image already has: " + contents->second + '.';
  }
  return infos;
}

void Toolbox::describe_images() {
  std::map<std::string, std::string> found;
  const auto offer = now();
  for (const Tool& tool : offer->tools) {
    if (tool.kind != Tool::Kind::run) continue;
    if (std::string contents = runner_.contents(*tool.language); !contents.empty())
      found[tool.info.name] = std::move(contents);
  }
  const std::lock_guard lock(mutex_);
  if (contents_ == found) return;
  contents_ = std::move(found);
  ++edition_;
}

std::uint64_t Toolbox::edition() const {
  const std::lock_guard lock(mutex_);
  return edition_;
}

bool Toolbox::has(const std::string& name) const {
  return now()->find(name) != nullptr;
}

std::string Toolbox::input_schema(const std::string& name) const {
  const auto offer = now();
  const Tool* tool = offer->find(name);
  return tool ? tool->info.input_schema : "";
}

mcp::ToolResult Toolbox::call(const std::string& name, nlohmann::json arguments, const Caller& caller,
                              std::stop_token cancel, const mcp::Tell& tell) {
  const auto offer = now();  // held until the call is over
  const Tool* tool = offer->find(name);
  if (!tool)
    return refused(
        {Reason::not_found, "There is no tool " + text::quoted(name, 80) + ": " + mcp::offered(*this)});
  run::Arguments wanted;
  if (tool->kind == Tool::Kind::run) {
    auto read = run::read_arguments(std::move(arguments), *tool->language);
    if (!read) return refused(read.failure());
    wanted = std::move(*read);
  }
  if (tool->kind == Tool::Kind::own) {
    if (auto fit = plugin::fits(tool->language->tools[tool->index], arguments); !fit)
      return refused(fit.failure());
  }
  auto slot = quota_.take(caller.user);
  if (!slot) return refused(slot.failure());
  log::info(name + " for user " + text::quoted(caller.user, 64));
  switch (tool->kind) {
    case Tool::Kind::files:
      return list_files(caller, std::move(cancel));
    case Tool::Kind::packages:
      return to_result(runner_.list_packages(*tool->language, std::move(cancel)));
    case Tool::Kind::own:
      return call_own(*tool, arguments, std::move(cancel), tell);
    case Tool::Kind::run:
      break;
  }
  return to_result(runner_.run(*tool->language, wanted, caller, std::move(cancel)));
}

mcp::ToolResult Toolbox::call_own(const Tool& tool, const nlohmann::json& arguments, std::stop_token cancel,
                                  const mcp::Tell& tell) const {
  const auto on = [&tell](const plugin::ToolNotice& notice) {
    if (tell) tell({notice.level, notice.value, notice.total, notice.message, notice.logger, notice.data});
  };
  const plugin::ToolCall call{tool.language->tools[tool.index],
                              *tool.language->library,
                              arguments.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                              options_.exec_timeout,
                              std::move(cancel),
                              on};
  auto outcome = plugin::call_tool(own_program(), call);
  if (!outcome && outcome.failure().reason == Reason::internal)
    log::warn("plugin " + text::quoted(tool.language->file) + ": " + outcome.failure().message);
  return outcome ? to_result(std::move(*outcome)) : to_result(run::not_run(outcome.failure()));
}

mcp::ToolResult Toolbox::list_files(const Caller& caller, std::stop_token cancel) {
  constexpr std::chrono::seconds patience{15};
  const auto known = files_.list(caller, std::chrono::steady_clock::now() + patience, std::move(cancel));
  return known ? to_result({false, openwebui::listing(*known), {}, 0})
               : to_result(run::not_run(known.failure()));
}

}  // namespace codebox::app
