#include <cstdio>

#include "app/commands.hpp"
#include "app/graph.hpp"
#include "app/plugins.hpp"

namespace codebox::app {

int complain(const Failure& failure) {
  std::fprintf(stderr, "codebox: %s\n", failure.message.c_str());
  return failure.reason == Reason::invalid ? 2 : 1;
}

int plugin_list(const Settings& settings) {
  auto registry = load_plugins(settings);
  if (!registry) return complain(registry.failure());
  for (const auto& language : (*registry)->languages) {
    std::printf("%-16s %-10s %-24s %s\n", language->id.c_str(), language->version.c_str(),
                language->display_name.c_str(), run::image_of(settings.run, *language).c_str());
  }
  for (const plugin::Refusal& refusal : (*registry)->refused) {
    std::printf("%-16s refused (%s): %s\n", refusal.file.c_str(), refusal.finding.c_str(),
                refusal.reason.c_str());
  }
  return (*registry)->refused.empty() ? 0 : 1;
}

int token(const Settings& settings, const std::string& user, std::uint64_t hours) {
  const SystemClock clock;
  auto bearer = auth::make_bearer(settings.auth, clock);
  if (!bearer) return complain(bearer.failure());
  auto issued = (*bearer)->issue(user, clock.wall() + std::chrono::hours(hours));
  if (!issued) return complain(issued.failure());
  std::printf("%s\n", issued->c_str());
  return 0;
}

}  // namespace codebox::app
