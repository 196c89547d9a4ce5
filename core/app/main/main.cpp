#include <CLI/CLI.hpp>
#include <cstring>

#include "app/commands.hpp"
#include "app/settings.hpp"
#include "app/value.hpp"
#include "base/text.hpp"
#include "engine/launcher.hpp"
#include "plugin/host.hpp"

namespace {

using namespace codebox;

// Runs `command` with the settings, or says what is wrong with them.
template <class Command>
int with_settings(Command command) {
  auto settings = app::load_settings();
  if (!settings) return app::complain(settings.failure());
  log::configure(settings->log_level, settings->log_format);
  return command(*settings);
}

// CLI::Range would let "nan" through.
std::string is_seconds(const std::string& text) {
  return app::value::number(text, 0.001, 86'400) ? "" : "it must be seconds above 0, up to 86400";
}

// Help and version are said on stdout; words that are no command or option on stderr, with status 2 as for a
// bad setting.
int end_of_parsing(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return program.exit(error);
  const auto rest = program.remaining(true);
  const bool unknown = error.get_name() == "RequiredError" && !rest.empty() && !rest.front().starts_with('-');
  const std::string what =
      unknown ? "There is no command " + text::quoted(rest.front()) : text::one_line(error.what());
  return app::complain({Reason::invalid, what + ": see codebox --help."});
}

int commands(int argc, char** argv) {
  CLI::App program("Runs code from a chat in disposable sandboxes, for Open WebUI and any MCP client.",
                   "codebox");
  program.set_version_flag("--version", "codebox " CODEBOX_VERSION, "Print the version and exit");
  program.require_subcommand(1);
  program.footer("Settings are environment variables, read also from ./.env; .env.example lists them.");

  auto* serve = program.add_subcommand("serve", "Serve MCP at /mcp until SIGINT or SIGTERM");

  app::RunRequest request;
  auto* run = program.add_subcommand("run", "Run one program in a sandbox, without a server");
  run->add_option("LANGUAGE", request.language, "A language of codebox plugin list")->required();
  run->add_option("FILE", request.file, "The program, or - for standard input")->required();
  run->add_option("--library", request.libraries, "A package to install first; may be repeated");
  run->add_option("--input", request.inputs, "A file for the program, PATH or PATH=NAME; may be repeated");
  run->add_option("--output", request.outputs,
                  "A path or glob to bring back besides /sandbox/output; may be repeated");
  run->add_option("--output-dir", request.output_dir, "Where files are written (default: .)");
  run->add_option("--timeout", request.timeout, "Seconds for the whole call (default: SANDBOX_EXEC_TIMEOUT)")
      ->check(is_seconds);

  auto* plugin = program.add_subcommand("plugin", "Look at the language plugins");
  plugin->require_subcommand(1);
  auto* list = plugin->add_subcommand("list", "List the plugins of PLUGIN_DIR, and why others are refused");
  app::CheckRequest checked;
  auto* check =
      plugin->add_subcommand("check", "Say whether a server would take a plugin's file, and why not");
  check->add_option("FILE", checked.file, "The plugin, a file that ends in .so")->required();
  check->add_flag("--run", checked.run, "Also run its sample and its package listing in sandboxes");
  check->add_flag("--json", checked.json, "Print JSON instead of lines");

  auto* layers = program.add_subcommand("layers", "Look at the packages that are kept as layers of images");
  layers->require_subcommand(1);
  auto* layers_list = layers->add_subcommand("list", "List them: key, when it was made, size");
  auto* layers_prune =
      layers->add_subcommand("prune", "Remove them; calls install again, and new ones are made");

  app::DoctorRequest looked;
  auto* doctor =
      program.add_subcommand("doctor", "Say what works, what does not and what to do, one line each");
  doctor->add_flag("--json", looked.json, "Print JSON instead of lines");
  auto* open_webui = doctor->add_flag("--openwebui", looked.open_webui,
                                      "Look at Open WebUI alone, and at its connections to this server");
  doctor
      ->add_option("--token", looked.token_file,
                   "A file with the token or API key of an administrator of Open WebUI; - reads it from "
                   "standard input")
      ->needs(open_webui);

  std::string user;
  std::uint64_t hours = 24;
  auto* token = program.add_subcommand(
      "token", "Print a bearer token signed with JWT_SECRET, for clients other than Open WebUI");
  token->add_option("--user", user, "The id of the user whom it stands for")->required();
  token->add_option("--hours", hours, "How long it is valid (default: 24)")->check(CLI::Range(1, 24 * 3650));

  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return end_of_parsing(program, error);
  }
  if (*serve) return with_settings([](const auto& settings) { return app::serve(settings); });
  if (*doctor) return app::doctor_command(looked);
  if (*run) return with_settings([&](const auto& settings) { return app::run_once(settings, request); });
  if (*layers_list) return with_settings([](const auto& settings) { return app::layers_list(settings); });
  if (*layers_prune) return with_settings([](const auto& settings) { return app::layers_prune(settings); });
  if (*list) return with_settings([](const auto& settings) { return app::plugin_list(settings); });
  if (*check)
    return with_settings([&](const auto& settings) { return app::plugin_check(settings, checked); });
  return with_settings([&](const auto& settings) { return app::token(settings, user, hours); });
}

}  // namespace

int main(int argc, char** argv) {
  // The two children that this program starts of itself read no settings and have no help.
  if (argc > 1 && std::strcmp(argv[1], "launcher") == 0) return codebox::engine::launcher_main(argc, argv);
  if (argc > 1 && std::strcmp(argv[1], "plugin-host") == 0)
    return codebox::plugin::plugin_host_main(argc, argv);
  return commands(argc, argv);
}
