#include "engine/bridge.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/log.hpp"
#include "engine/body.hpp"
#include "engine/check.hpp"
#include "engine/filters.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

Result<void> erase(const Daemon& daemon, const std::string& id) {
  const auto answer = daemon.call("DELETE", "/networks/" + id);
  if (!answer) return answer.failure();
  if (!answer->ok() && answer->status != 404) return refusal("remove the network of sandboxes", *answer);
  return {};
}

}  // namespace

Result<std::string> Bridge::ready(const Daemon& daemon) {
  if (daemon.dialect.podman())
    return Failure{Reason::engine,
                   "SANDBOX_NETWORK=full needs Docker: on a bridge of Podman's, sandboxes would reach one "
                   "another. Use allowlist, or Docker."};
  const std::lock_guard lock(mutex_);
  if (!id_.empty()) {
    const auto known = daemon.call("GET", "/networks/" + id_);
    if (!known) return known.failure();
    if (known->ok()) return id_;
  }
  auto made = make(daemon);
  if (made) id_ = *made;
  return made;
}

Result<std::string> Bridge::make(const Daemon& daemon) const {
  const auto answer = daemon.call("POST", "/networks/create", bridge_body(instance_, random_name()).dump());
  if (!answer) return answer.failure();
  if (!answer->ok()) return refusal("make the network of sandboxes (SANDBOX_NETWORK=full)", *answer);
  const auto parsed = json::parse(answer->body, nullptr, false);
  if (parsed.is_object() && parsed.contains("Id") && parsed["Id"].is_string()) {
    auto id = parsed["Id"].get<std::string>();
    if (check_container(id)) return id;
  }
  return Failure{Reason::engine,
                 "The container engine's answer about a new network cannot be read; update the engine."};
}

void Bridge::sweep(const Daemon& daemon) {
  const std::lock_guard lock(mutex_);
  const auto answer = daemon.call("GET", "/networks?filters=" + filters({{"label", label_of(instance_)}}));
  if (!answer || !answer->ok()) return;
  const auto listed = json::parse(answer->body, nullptr, false);
  if (!listed.is_array()) return;
  for (const auto& entry : listed) {
    if (!entry.is_object() || !entry.contains("Id") || !entry["Id"].is_string()) continue;
    const auto id = entry["Id"].get<std::string>();
    // One that is still in use goes with a later sweep.
    if (id != id_ && check_container(id) && erase(daemon, id))
      log::info("Removed a network of an earlier start.");
  }
}

void Bridge::remove(const Daemon& daemon) {
  const std::lock_guard lock(mutex_);
  if (id_.empty()) return;
  // The last container may still be going, and the engine keeps its network as long.
  auto removed = erase(daemon, id_);
  for (int again = 0; again < 30 && !removed && removed.failure().reason == Reason::engine; ++again) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    removed = erase(daemon, id_);
  }
  if (!removed) return log::warn(removed.failure().message);
  id_.clear();
}

}  // namespace codebox::engine
