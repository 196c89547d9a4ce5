#include "engine/oom.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>

#include "engine/filters.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds pause{2};

void listen(const Daemon& daemon, Containers& containers, const std::stop_token& stop) {
  const auto wanted =
      filters({{"event", "oom"}, {"type", "container"}, {"label", label_of(containers.instance())}});
  const auto line = [&](std::string_view text) {
    const auto event = json::parse(text, nullptr, false);
    if (!event.is_object() || !event.contains("Actor")) return;
    const auto& actor = event["Actor"];
    if (actor.is_object() && actor.contains("ID") && actor["ID"].is_string())
      containers.out_of_memory(actor["ID"]);
  };
  // It ends when the engine is restarted, or after a long silence; the caller begins again.
  (void)daemon.api.stream("GET", daemon.dialect.prefix + "/events?filters=" + wanted, line, stop);
}

}  // namespace

void watch_memory(Finder& finder, Containers& containers, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    if (const auto daemon = finder.find()) listen(**daemon, containers, stop);
    wake.wait_for(lock, stop, pause, [] { return false; });
  }
}

}  // namespace codebox::engine
