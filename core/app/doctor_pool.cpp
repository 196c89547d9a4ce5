#include <algorithm>

#include "app/doctor.hpp"
#include "app/pool_file.hpp"
#include "base/text.hpp"

namespace codebox::app::doctor {
namespace {

constexpr const char* topic = "pool";

bool wanted(const Settings& settings) {
  return settings.pool_size > 0 || std::any_of(settings.pool_sizes.begin(), settings.pool_sizes.end(),
                                               [](const auto& own) { return own.second > 0; });
}

void look_at_kind(Report& report, const sandbox::WarmPool::State& kind) {
  const std::string name =
      kind.language + (kind.layer.empty() ? "" : ", packages " + kind.layer.substr(0, 12));
  if (!kind.trouble.empty()) {
    return report.warn(topic, name + ": " + std::to_string(kind.waiting) + " of " +
                                  std::to_string(kind.target) +
                                  " sandboxes wait for calls; the last one could not be made ready: " +
                                  text::one_line(kind.trouble));
  }
  const std::string processes =
      kind.preloaded == 0 ? "" : ", " + std::to_string(kind.preloaded) + " of them with their process";
  report.ok(topic, name + ": " + std::to_string(kind.waiting) + " of " + std::to_string(kind.target) +
                       " sandboxes wait for calls" + processes + "; they hold " + text::size(kind.bytes) +
                       ".");
}

}  // namespace

void look_at_pool(Report& report, const Settings& settings) {
  if (!wanted(settings))
    return report.ok(topic, "No sandbox waits for calls, as SANDBOX_POOL_SIZE=0 wants it.");
  const auto there = PoolFile::read(settings.state_dir);
  if (!there)
    return report.ok(topic, "No sandbox waits for calls, since no server runs with this STATE_DIR.");
  std::uint64_t held = 0;
  for (const auto& kind : there->kinds) {
    look_at_kind(report, kind);
    held += kind.bytes;
  }
  const std::uint64_t total = there->promised + there->available;
  report.ok(topic, "All that wait hold " + text::size(held) + " of at most " + text::size(there->limit) +
                       " (SANDBOX_POOL_MEMORY); with running ones they are promised " +
                       text::size(there->promised) +
                       (there->available == 0 ? "." : " of " + text::size(total) + "."));
}

}  // namespace codebox::app::doctor
