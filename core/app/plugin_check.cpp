#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/commands.hpp"
#include "app/folder_files.hpp"
#include "app/graph.hpp"
#include "app/plugins.hpp"
#include "base/text.hpp"
#include "plugin/load.hpp"
#include "plugin/spec_json.hpp"
#include "run/package_list.hpp"

namespace codebox::app {
namespace {

using Findings = std::vector<plugin::Finding>;

// What the checked file is, and why it is no good.
struct Verdict {
  std::string file;
  const plugin::LanguageSpec* language = nullptr;
  Findings problems;
  Findings remarks;
};

// Whether a result begins with exactly `output` on standard output.
bool printed(const std::string& result, std::string output) {
  if (!output.ends_with('\n')) output += '\n';
  return result.starts_with(output) && result.substr(output.size()).starts_with('[');
}

void run_sample(Graph& graph, const plugin::LanguageSpec& language, Findings& problems) {
  run::Arguments arguments;
  arguments.code = language.sample.code;
  arguments.input = language.sample.input;
  const run::Outcome outcome = graph.runner->run(language, arguments, {"local", "", "", ""}, {});
  const std::string result(text::prefix(text::one_line(outcome.text), 600));
  if (outcome.is_error) {
    problems.push_back({"sample", "The sample could not be run: " + result});
  } else if (outcome.exit_status != 0 || !printed(outcome.text, language.sample.output)) {
    problems.push_back({"sample", "The sample must print " + text::quoted(language.sample.output) +
                                      ", but gave: " + result});
  }
}

void run_listing(Graph& graph, const plugin::LanguageSpec& language, Findings& problems) {
  if (!language.list) return;
  const run::Outcome outcome = graph.runner->list_packages(language, {});
  if (outcome.is_error) {
    problems.push_back({"listing", std::string(text::prefix(text::one_line(outcome.text), 600))});
  } else if (run::package_names(outcome.text).empty()) {
    problems.push_back({"listing", "The list command printed no package in the form of list_format."});
  }
}

// Runs sample and listing in real sandboxes, as a call does.
Result<void> try_out(const Settings& settings, const plugin::LanguageSpec& language, Findings& problems) {
  auto alone = std::make_shared<plugin::Registry>();
  alone->languages.push_back(std::make_shared<plugin::LanguageSpec>(language));
  FolderFiles files(std::filesystem::temp_directory_path() / ("codebox-check-" + std::to_string(::getpid())));
  auto graph = build_graph(settings, {"run-" + std::to_string(::getpid()), false, -1, alone}, files);
  if (!graph) return graph.failure();
  const std::string image = run::image_of(settings.run, language);
  (*graph)->images->prepare(image);
  (*graph)->images->wait();
  if (auto there = (*graph)->images->ready(image); !there) {
    if (there.failure().reason != Reason::image) return there.failure();
    problems.push_back({"image", there.failure().message});
    return {};
  }
  run_sample(**graph, language, problems);
  run_listing(**graph, language, problems);
  return {};
}

void print_lines(const Verdict& verdict) {
  const auto print = [&](const Findings& findings, const char* what) {
    for (const plugin::Finding& finding : findings)
      std::printf("%s (%s): %s\n", what, finding.id.c_str(), finding.reason.c_str());
  };
  print(verdict.problems, "refused");
  print(verdict.remarks, "remark");
  if (verdict.problems.empty() && verdict.language != nullptr) {
    std::string own;
    for (const plugin::Tool& tool : verdict.language->tools) own += ", " + tool.name;
    std::printf("good: %s %s, run_%s%s\n", verdict.language->display_name.c_str(),
                verdict.language->version.c_str(), verdict.language->id.c_str(), own.c_str());
  }
}

void print_json(const Verdict& verdict) {
  nlohmann::json out = {{"file", verdict.file}, {"good", verdict.problems.empty()}};
  if (verdict.language != nullptr) out["language"] = nlohmann::json::parse(plugin::encode(*verdict.language));
  out["findings"] = nlohmann::json::array();
  const auto add = [&](const Findings& findings, const char* severity) {
    for (const plugin::Finding& finding : findings)
      out["findings"].push_back({{"id", finding.id}, {"severity", severity}, {"reason", finding.reason}});
  };
  add(verdict.problems, "refused");
  add(verdict.remarks, "remark");
  std::printf("%s\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

}  // namespace

int plugin_check(const Settings& settings, const CheckRequest& request) {
  // Neither good nor refused.
  const auto unknown = [](const Failure& failure) {
    complain(failure);
    return 2;
  };
  auto keys = trusted_keys(settings);
  if (!keys) return unknown(keys.failure());
  auto loaded = plugin::load_file(own_program(), request.file, std::move(*keys));
  if (!loaded) return unknown(loaded.failure());
  Verdict verdict;
  verdict.file = request.file;
  verdict.remarks = std::move(loaded->remarks);
  verdict.language = std::get_if<plugin::LanguageSpec>(&loaded->language);
  if (const auto* fault = plugin::finding(loaded->language)) verdict.problems.push_back(*fault);
  if (const auto name = std::filesystem::path(request.file).filename().string();
      !name.ends_with(".so") || name.starts_with('.')) {
    verdict.remarks.push_back({"name",
                               "A server takes only files whose names end in .so and do not begin with a "
                               "dot: give it such a name in PLUGIN_DIR."});
  }
  if (request.run && verdict.language != nullptr) {
    if (auto tried = try_out(settings, *verdict.language, verdict.problems); !tried)
      return unknown(tried.failure());
  }
  if (request.json) {
    print_json(verdict);
  } else {
    print_lines(verdict);
  }
  return verdict.problems.empty() ? 0 : 1;
}

}  // namespace codebox::app
