#pragma once
#include <string>
#include <vector>

#include "app/settings.hpp"

/// The commands of `codebox`, as docs/commands.md has them. Each returns the process's exit status and says
/// what is wrong on stderr. Called once, on the main thread.
namespace codebox::app {

/// Serves until SIGINT or SIGTERM.
int serve(const Settings& settings);

/// What `codebox run` was asked for.
struct RunRequest {
  std::string language;
  std::string file;  ///< the program; "-" for standard input
  std::vector<std::string> libraries;
  std::vector<std::string> inputs;   ///< PATH or PATH=NAME-IN-SANDBOX
  std::vector<std::string> outputs;  ///< further paths or globs
  std::string output_dir = ".";
  double timeout = 0;  ///< seconds, 0 for SANDBOX_EXEC_TIMEOUT
};
/// Runs one program. Exit status: the program's, or 1 where nothing ran.
int run_once(const Settings& settings, const RunRequest& request);

/// Prints the package layers of this server, or removes them all.
int layers_list(const Settings& settings);
int layers_prune(const Settings& settings);

/// Prints the plugins of PLUGIN_DIR. Exit status 1 where one is refused.
int plugin_list(const Settings& settings);

/// What `codebox plugin check` was asked for.
struct CheckRequest {
  std::string file;
  bool run = false;  ///< also its sample and its listing, in sandboxes
  bool json = false;
};
/// Prints what a server would say to a plugin's file. Exit status 0, or 1 where it is refused or its sample
/// fails, or 2 where nothing could be found out.
int plugin_check(const Settings& settings, const CheckRequest& request);
/// What `codebox doctor` was asked for.
struct DoctorRequest {
  bool json = false;
  bool open_webui = false;  ///< only Open WebUI and its connections
  std::string token_file;   ///< holds the token of one of its administrators; "-" for standard input
};
/// Prints what `codebox doctor` finds. Exit status 0, or 1 for a problem, or 2 for a bad setting.
int doctor_command(const DoctorRequest& request);
/// Prints a bearer token for `user`, valid for `hours`.
int token(const Settings& settings, const std::string& user, std::uint64_t hours);

/// Prints "codebox: <message>" on stderr and gives exit status 1 (2 for Reason::invalid).
int complain(const Failure& failure);

}  // namespace codebox::app
