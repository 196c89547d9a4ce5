#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>

#include "app/commands.hpp"
#include "app/folder_files.hpp"
#include "app/graph.hpp"
#include "app/network.hpp"
#include "app/plugins.hpp"
#include "base/log.hpp"
#include "base/text.hpp"

namespace codebox::app {
namespace {

Result<std::string> program_text(const std::string& file) {
  if (file != "-") return read_file("The argument FILE", file);
  return std::string(std::istreambuf_iterator<char>(std::cin), {});
}

// PATH or PATH=NAME: the file on this disk, and where it lies in the sandbox.
Result<run::InputFile> input_file(const std::string& argument) {
  const auto equals = argument.rfind('=');
  run::InputFile input;
  input.reference = argument.substr(0, equals);
  if (equals != std::string::npos) {
    auto path = run::writable_path(argument.substr(equals + 1));
    if (!path) return path.failure();
    input.path = std::move(*path);
  }
  return input;
}

Result<void> writable_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (!failed && ::access(path.c_str(), W_OK | X_OK) != 0) failed = {errno, std::generic_category()};
  if (!failed) return {};
  return Failure{Reason::invalid, "The output folder " + text::quoted(path) + " cannot be written (" +
                                      failed.message() + "): name another with --output-dir."};
}

Result<run::Arguments> arguments_of(const RunRequest& request, const plugin::LanguageSpec& language) {
  run::Arguments arguments;
  auto code = program_text(request.file);
  if (!code) return code.failure();
  arguments.code = std::move(*code);
  arguments.libraries = request.libraries;
  if (!arguments.libraries.empty() && language.packages) {
    if (auto checked = run::check_packages(arguments.libraries, *language.packages); !checked)
      return checked.failure();
  }
  for (const std::string& argument : request.inputs) {
    auto input = input_file(argument);
    if (!input) return input.failure();
    arguments.inputs.push_back(std::move(*input));
  }
  for (const std::string& pattern : request.outputs) {
    auto path = run::writable_path(pattern);
    if (!path) return path.failure();
    arguments.outputs.push_back(std::move(*path));
  }
  if (request.file != "-" && !::isatty(STDIN_FILENO)) {
    arguments.input.assign(std::istreambuf_iterator<char>(std::cin), {});
  }
  if (request.timeout > 0)
    arguments.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(request.timeout * 1000));
  return arguments;
}

}  // namespace

int run_once(const Settings& settings, const RunRequest& request) {
  // Before the program runs: afterwards what it made would be lost.
  if (auto folder = writable_folder(request.output_dir); !folder) return complain(folder.failure());
  FolderFiles files(request.output_dir);
  auto graph = build_graph(settings, {"run-" + std::to_string(::getpid()), false}, files);
  if (!graph) return complain(graph.failure());
  const auto language = (*graph)->registry->find(request.language);
  if (!language) {
    return complain({Reason::invalid, "There is no language " + text::quoted(request.language) +
                                          " in PLUGIN_DIR: see codebox plugin list."});
  }
  for (const auto& doubt : settings.doubts) log::warn(doubt);
  for (const auto& doubt : language_doubts(settings, *(*graph)->registry)) log::warn(doubt);
  for (const auto& warning : network_warnings(settings, {language->id})) log::warn(warning);
  auto arguments = arguments_of(request, *language);
  if (!arguments) return complain(arguments.failure());
  (*graph)->images->prepare(run::image_of(settings.run, *language));
  (*graph)->images->wait();

  const Caller caller{"local", "", "", ""};
  const run::Outcome outcome = (*graph)->runner->run(*language, *arguments, caller, {});
  std::fputs(outcome.text.c_str(), outcome.is_error ? stderr : stdout);
  if (!outcome.text.ends_with('\n')) std::fputc('\n', outcome.is_error ? stderr : stdout);
  if (outcome.is_error) return 1;
  return outcome.exit_status;
}

}  // namespace codebox::app
