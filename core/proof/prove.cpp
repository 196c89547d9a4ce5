#include "proof/prove.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace codebox::proof {
namespace {

using sandbox::Ending;
using sandbox::StepEnd;

constexpr std::chrono::seconds longest_step{10};
constexpr std::size_t longest_report = 16 * 1024;

/// Keeps what the agent reports, up to a bound.
class Report : public sandbox::OutputSink {
 public:
  void write(sandbox::Output stream, std::string_view bytes) override {
    if (stream == sandbox::Output::out) text_.append(bytes.substr(0, longest_report - text_.size()));
  }
  /// The lines "NAME ok|bad|none WORDS" for one of `names`; the first for each name counts.
  void read(const std::vector<std::string>& names, Checks& checks) const {
    for (const std::string& line : text::split(text_, '\n')) {
      const auto first = line.find(' ');
      const auto second = first == std::string::npos ? first : line.find(' ', first + 1);
      if (second == std::string::npos) continue;
      const std::string name = line.substr(0, first);
      const std::string verdict = line.substr(first + 1, second - first - 1);
      const bool known = std::find(names.begin(), names.end(), name) != names.end();
      if (!known || (verdict != "ok" && verdict != "bad" && verdict != "none") || has(checks, name)) continue;
      const std::string words = text::one_line(line.substr(second + 1));
      checks.push_back({name, verdict != "bad", std::string(text::prefix(words, 400)), verdict != "none"});
    }
  }
  static bool has(const Checks& checks, const std::string& name) {
    return std::any_of(checks.begin(), checks.end(), [&](const Check& check) { return check.name == name; });
  }

 private:
  std::string text_;
};

struct Task {
  std::vector<std::string> argv;
  std::vector<std::string> names;  ///< the checks that it answers
  bool fatal = false;  ///< the end of the whole sandbox is an answer: the limit was enforced on it
  bool installing = false;
};

std::vector<Task> tasks(const engine::Limits& limits, const std::string& runtime) {
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  const auto pids = static_cast<std::uint64_t>(limits.pids);
  return {
      {{"look"},
       {"user", "user-namespace", "capabilities", "no-new-privileges", "network", "read-only-root", "devices",
        "seccomp", "system-calls", "kernel-files"}},
      {{"processor", number(static_cast<std::uint64_t>(limits.cpus * 1000))}, {"processor"}},
      {{"processes", number(pids)}, {"processes"}, true},
      {{"memory", number(engine::memory_limit(limits, !engine::adjustable(runtime)))},
       {"memory", "swap"},
       true},
      // Both ends are reached at once, so the memory limit has to hold them both, as when a call installs.
      // Comes last: it sets a memory limit itself, which would hide that the one from the start is not
      // applied.
      {{"disk", number(limits.disk), number(limits.install)}, {"disk", "inodes"}, false, true},
  };
}

StepEnd run(sandbox::Sandbox& sandbox, const Task& task, Time deadline, const std::stop_token& cancel,
            Report& report) {
  StepEnd unset;
  if (task.installing) {
    if (auto raised = sandbox.allow_install(true); !raised) {
      unset.detail = raised.failure().message;
      return unset;
    }
  }
  sandbox::Step step;
  step.argv = {"/.codebox/agent", "prove"};
  step.argv.insert(step.argv.end(), task.argv.begin(), task.argv.end());
  step.limit = std::min<std::chrono::milliseconds>(longest_step, left(deadline));
  step.installing = true;  // for /packages stays open to be filled
  const StepEnd end = sandbox.step(step, report, cancel);
  if (task.installing && end.ending != Ending::lost) (void)sandbox.allow_install(false);
  return end;
}

std::string unanswered(const StepEnd& end) {
  if (end.out_of_memory) return "the attempt was killed for want of memory";
  if (end.ending == Ending::lost) return "the sandbox ended: " + text::one_line(end.detail);
  if (end.ending == Ending::timed_out) return "the attempt took too long";
  return "the attempt gave no answer";
}

void conclude(const Task& task, const StepEnd& end, Checks& checks) {
  for (const std::string& name : task.names) {
    if (Report::has(checks, name)) continue;
    const bool enforced = task.fatal && end.ending == Ending::lost;
    checks.push_back({name, enforced, enforced ? "the whole sandbox is ended" : unanswered(end)});
  }
}

}  // namespace

engine::Limits proof_limits() {
  engine::Limits limits;
  limits.memory = 48ULL << 20;
  limits.disk = 16ULL << 20;
  limits.install = 8ULL << 20;
  limits.cpus = 1;
  limits.pids = 128;
  return limits;
}

Result<Checks> prove(sandbox::Sandboxes& sandboxes, const std::string& image, const std::string& runtime,
                     Time deadline, std::stop_token cancel) {
  const engine::CreateSpec spec{image, "proof", runtime, proof_limits()};
  std::unique_ptr<sandbox::Sandbox> sandbox;
  Checks checks;
  for (const Task& task : tasks(spec.limits, runtime)) {
    if (!sandbox) {
      auto acquired = sandboxes.acquire(spec, deadline, cancel);
      if (!acquired) return acquired.failure();
      sandbox = std::move(*acquired);
    }
    Report report;
    const StepEnd end = run(*sandbox, task, deadline, cancel, report);
    if (end.ending == Ending::cancelled) return Failure{Reason::cancelled, "The proof was cancelled."};
    report.read(task.names, checks);
    conclude(task, end, checks);
    if (end.ending == Ending::lost) sandbox.reset();
  }
  return checks;
}

}  // namespace codebox::proof
