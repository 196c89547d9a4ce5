#include "base/text.hpp"
#include "run/call.hpp"
#include "run/environment.hpp"
#include "run/install_advice.hpp"

namespace codebox::run {
namespace {

// The installer's own words, shortened to their end, where the reason stands.
std::string shortened(const std::string& output) {
  constexpr std::size_t shown = 2000;
  const std::string_view trimmed = text::trim(output);
  const std::string_view end = text::suffix(trimmed, shown);
  return (end.size() < trimmed.size() ? "..." : "") + std::string(end);
}

// How the scripts of a language begin a line about a package that broke what the image has.
constexpr std::string_view conflict = "Conflict with the image: ";
constexpr std::size_t most_conflicts = 5;
constexpr std::size_t longest_conflict = 300;

}  // namespace

Result<void> Call::install(sandbox::Sandbox& sandbox) {
  const std::string what = text::join(arguments_.libraries, ", ");
  progress_.installing(arguments_.libraries);
  if (network_ == Network::none) {
    return Failure{
        Reason::install,
        "Nothing was run: packages cannot be installed here (SANDBOX_NETWORK is none), so leave out " + what +
            " and use what list_" + language_.id + "_packages shows."};
  }
  if (auto allowed = sandbox.allow_install(true); !allowed) return allowed;
  const std::vector<std::string> env = environment(Phase::install, language_, image_, options_);
  sandbox.set_gate(&gate_);
  auto installed = install_step(sandbox, language_.packages->install, env);
  if (installed && language_.packages->verify)
    installed = install_step(sandbox, *language_.packages->verify, env);
  // Whatever the packages' install code started is dead, and the way out shut, before a user's file is there.
  sandbox.set_gate(network_ == Network::allowlist ? &gate_ : nullptr);
  if (auto killed = sandbox.kill_all(deadline_); !killed) return killed;
  return installed;
}

Result<void> Call::install_step(sandbox::Sandbox& sandbox, const plugin::Command& command,
                                const std::vector<std::string>& env) {
  KeptOutput output(16 * 1024);
  sandbox::Step step;
  step.argv = command_line(command, language_, arguments_.libraries);
  step.env = env;
  step.cwd = sandbox::packages_folder;
  step.installing = true;
  step.limit = time_for(command);
  const sandbox::StepEnd end = sandbox.step(step, output, cancel_);
  if (end.ending == sandbox::Ending::exited && end.code == 0) {
    note_conflicts(without_secrets(output.err.text(nullptr), env, language_));
    return {};
  }

  const std::string what = text::join(arguments_.libraries, ", ");
  if (end.ending == sandbox::Ending::cancelled) return Failure{Reason::cancelled, "The call was cancelled."};
  if (end.ending == sandbox::Ending::lost) {
    return Failure{Reason::gone, "Nothing was run: the sandbox ended while it installed " + what + " (" +
                                     text::one_line(end.detail) + ")."};
  }
  const std::string said =
      without_secrets(output.out.text(nullptr) + output.err.text(nullptr), env, language_);
  std::string message = "Nothing was run: installing " + what + " failed.";
  if (end.ending == sandbox::Ending::timed_out) {
    message = "Nothing was run: installing " + what +
              " took longer than this call may (SANDBOX_EXEC_TIMEOUT, or the call's own `timeout`).";
  } else if (end.out_of_memory) {
    message = "Nothing was run: installing " + what + " needed more memory than SANDBOX_MAX_MEMORY allows.";
  }
  message += "\nThe installer said:\n" + shortened(said);
  if (const std::string advice = install_advice(said, language_); !advice.empty()) message += "\n" + advice;
  return Failure{Reason::install, message};
}

void Call::note_conflicts(const std::string& said) {
  for (const std::string& line : text::split(said, '\n')) {
    if (!line.starts_with(conflict) || conflicts_.size() == most_conflicts) continue;
    conflicts_.emplace_back(text::prefix(text::one_line(line), longest_conflict));
  }
}

}  // namespace codebox::run
