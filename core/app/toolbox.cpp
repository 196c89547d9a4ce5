#include "app/toolbox.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "base/text.hpp"

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
                 run::Runner& runner, quota::Quota& quota)
    : options_(options), runner_(runner), quota_(quota), offer_(make(std::move(registry))) {}

void Toolbox::replace(std::shared_ptr<const plugin::Registry> registry) {
  auto offer = make(std::move(registry));
  const std::lock_guard lock(mutex_);
  offer_.swap(offer);
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
  for (const auto& language : registry->languages) {
    const std::string id = language->id;
    const std::string& name = language->display_name;
    offer->tools.push_back({{"run_" + id, "Run " + name, language->description,
                             run::run_schema(*language, options_.exec_timeout), false},
                            language,
                            true});
    if (language->list) {
      offer->tools.push_back(
          {{"list_" + id + "_packages", name + " packages",
            "Lists the packages that " + name + " programs can use at once, with their versions.",
            R"({"type":"object","properties":{}})", true},
           language,
           false});
    }
  }
  std::sort(offer->tools.begin(), offer->tools.end(),
            [](const Tool& a, const Tool& b) { return a.info.name < b.info.name; });
  offer->registry = std::move(registry);
  return offer;
}

const Toolbox::Tool* Toolbox::Offer::find(const std::string& name) const {
  const auto at =
      std::find_if(tools.begin(), tools.end(), [&](const Tool& tool) { return tool.info.name == name; });
  return at == tools.end() ? nullptr : &*at;
}

std::vector<mcp::ToolInfo> Toolbox::list() const {
  std::vector<mcp::ToolInfo> infos;
  const auto offer = now();
  for (const Tool& tool : offer->tools) infos.push_back(tool.info);
  return infos;
}

bool Toolbox::has(const std::string& name) const {
  return now()->find(name) != nullptr;
}

mcp::ToolResult Toolbox::call(const std::string& name, const nlohmann::json& arguments, const Caller& caller,
                              std::stop_token cancel) {
  const auto offer = now();  // held until the call is over
  const Tool* tool = offer->find(name);
  if (!tool) return refused({Reason::not_found, "There is no tool named " + text::quoted(name) + "."});
  run::Arguments wanted;
  if (tool->runs) {
    auto read = run::read_arguments(arguments, *tool->language);
    if (!read) return refused(read.failure());
    wanted = std::move(*read);
  }
  auto slot = quota_.take(caller.user);
  if (!slot) return refused(slot.failure());
  log::info(name + " for user " + text::quoted(caller.user, 64));
  return to_result(tool->runs ? runner_.run(*tool->language, wanted, caller, std::move(cancel))
                              : runner_.list_packages(*tool->language, std::move(cancel)));
}

}  // namespace codebox::app
