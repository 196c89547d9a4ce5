#include <algorithm>

#include "app/doctor.hpp"
#include "base/text.hpp"

namespace codebox::app::doctor {
namespace {

constexpr const char* topic = "limits";

std::string cores(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

void compare_memory(Report& report, const Settings& settings, std::uint64_t there) {
  const std::uint64_t plain = engine::memory_limit(settings.run.limits, false);
  const std::uint64_t installing = engine::memory_limit(settings.run.limits, true);
  const std::string of_machine = ", and the engine's machine has " + text::size(there);
  if (there != 0 && installing > there) {
    return report.problem(topic, "A sandbox that installs packages may take " + text::size(installing) +
                                     of_machine +
                                     ": lower SANDBOX_MAX_MEMORY, SANDBOX_MAX_DISK or SANDBOX_MAX_INSTALL.");
  }
  const std::uint64_t together = plain * settings.quota.concurrent;
  if (there != 0 && together > there) {
    return report.warn(topic, std::to_string(settings.quota.concurrent) + " sandboxes at once may take " +
                                  text::size(together) + of_machine +
                                  ": lower MAX_CONCURRENT_SANDBOXES or the limits of one.");
  }
  report.ok(topic, "A sandbox may take " + text::size(plain) + " of memory, " + text::size(installing) +
                       " while packages install.");
}

}  // namespace

// What the engine says of itself. Whether each limit really ends a program is a proof of its own, by running
// one.
void look_at_limits(Report& report, engine::Engine& engine, const Settings& settings) {
  const auto info = engine.info();
  if (!info) return report.problem(topic, info.failure());
  if (info->cpus > 0 && settings.run.limits.cpus > info->cpus) {
    report.problem(topic, Failure{Reason::invalid, "SANDBOX_MAX_CPUS=" + cores(settings.run.limits.cpus) +
                                                       " is more than the " + std::to_string(info->cpus) +
                                                       " cores of the engine's machine: lower it."});
  }
  compare_memory(report, settings, info->memory);
}

}  // namespace codebox::app::doctor
