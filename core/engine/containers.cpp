#include "engine/containers.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/log.hpp"
#include "base/text.hpp"
#include "engine/body.hpp"
#include "engine/check.hpp"
#include "engine/filters.hpp"
#include "engine/image.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

Failure cancelled() {
  return {Reason::cancelled, "Starting the sandbox was cancelled."};
}

Failure gone() {
  return {Reason::gone, "The sandbox is gone; start a new one."};
}

Failure not_ours(const std::string& id) {
  return {Reason::invalid,
          "The container " + text::quoted(id) + " was not made by this launcher; it is left alone."};
}

Failure unreadable(const char* what) {
  return {Reason::engine,
          std::string("The container engine's answer about ") + what + " cannot be read; update the engine."};
}

}  // namespace

Result<Container> Containers::start(const Daemon& daemon, const CreateSpec& spec,
                                    const std::stop_token& stop) {
  auto id = create(daemon, spec);
  if (!id) return id.failure();
  auto started = attach_and_start(daemon, *id, stop);
  if (started && stop.stop_requested()) started = cancelled();
  if (!started)
    if (const auto removed = remove(daemon, *id); !removed) log::warn(removed.failure().message);
  return started;
}

Result<std::string> Containers::create(const Daemon& daemon, const CreateSpec& spec) {
  const auto base = inspect_image(daemon, spec.image);
  if (!base)
    return Failure{base.failure().reason == Reason::not_found ? Reason::image : base.failure().reason,
                   base.failure().message};
  if (auto fine = check_architecture(daemon, *base, spec.image); !fine) return fine.failure();
  if (auto fine = check_volumes(base->volumes); !fine) return fine.failure();
  auto network = spec.network.empty() ? Result<std::string>(std::string()) : bridge_.ready(daemon);
  if (!network) return network.failure();
  auto id = create_on(daemon, spec, *base, *network);
  // Another server on this engine may have removed the prepared image a moment ago.
  if (!id && id.failure().reason == Reason::not_found && spec.layer.empty())
    id = create_on(daemon, spec, *base, *network);
  if (!id && id.failure().reason == Reason::not_found && spec.layer.empty())
    return Failure{Reason::engine, id.failure().message};
  return id;
}

Result<std::string> Containers::create_on(const Daemon& daemon, const CreateSpec& spec, const Image& base,
                                          const std::string& network) {
  const auto prepared = preparer_.prepared(daemon, base);
  if (!prepared) return prepared.failure();
  const auto image = spec.layer.empty() ? prepared : layers_.image(daemon, spec.layer, *prepared);
  if (!image) return image.failure();
  const auto body = create_body(spec, *image, base.volumes, instance_, daemon.dialect, network).dump();
  const std::string name = random_name();
  {
    const std::lock_guard lock(mutex_);
    names_.insert(name);
  }
  const auto answer = daemon.call("POST", "/containers/create?name=" + name, body);
  const std::lock_guard lock(mutex_);
  // Where no answer came the container may exist all the same: as nobody's it falls to the next sweep.
  names_.erase(name);
  if (!answer) return answer.failure();
  if (answer->status == 404) return Failure{Reason::not_found, refusal("create a sandbox", *answer).message};
  if (!answer->ok()) return refusal("create a sandbox", *answer);
  const auto parsed = json::parse(answer->body, nullptr, false);
  if (!parsed.is_object() || !parsed.contains("Id") || !parsed["Id"].is_string())
    return unreadable("a new sandbox");
  const auto id = parsed["Id"].get<std::string>();
  if (auto fine = check_container(id); !fine) return unreadable("a new sandbox");
  made_[id] = name;
  if (!adjustable(spec.runtime)) fixed_.insert(id);
  names_.insert(name);
  return id;
}

Result<Container> Containers::attach_and_start(const Daemon& daemon, const std::string& id,
                                               const std::stop_token& stop) {
  if (stop.stop_requested()) return cancelled();
  // Attached before it starts, so that no byte of the agent is missed and its stdin is never without an
  // owner.
  auto attached = daemon.api.hijack(daemon.dialect.prefix + "/containers/" + id +
                                    "/attach?stream=1&stdin=1&stdout=1&stderr=1");
  if (!attached) return attached.failure();
  if (stop.stop_requested()) return cancelled();
  const auto answer = daemon.call("POST", "/containers/" + id + "/start");
  if (!answer) return answer.failure();
  if (!answer->ok()) return refusal("start a sandbox", *answer);
  Container container;
  container.id = id;
  container.stream = std::move(attached->stream);
  container.early = std::move(attached->early);
  return container;
}

Result<void> Containers::set_memory(const Daemon& daemon, const std::string& id, std::uint64_t bytes) {
  if (auto fine = check_memory(bytes); !fine) return fine;
  if (auto ours = known(id); !ours) return ours;
  {
    const std::lock_guard lock(mutex_);
    if (fixed_.contains(id)) return {};
  }
  const auto request = daemon.dialect.memory_update(id, bytes);
  const auto answer = daemon.api.call("POST", request.target, request.body);
  if (!answer) return answer.failure();
  if (answer->status == 404) return gone();
  if (!answer->ok()) return refusal("set the memory limit of a sandbox to " + text::size(bytes), *answer);
  return {};
}

Result<ContainerState> Containers::state(const Daemon& daemon, const std::string& id) {
  if (auto ours = known(id); !ours) return ours.failure();
  const auto answer = daemon.call("GET", "/containers/" + id + "/json");
  if (!answer) return answer.failure();
  if (answer->status == 404) return gone();
  if (!answer->ok()) return refusal("describe a sandbox", *answer);
  try {
    const auto parsed = json::parse(answer->body).at("State");
    const std::lock_guard lock(mutex_);
    return ContainerState{parsed.at("Running").get<bool>(),
                          parsed.value("OOMKilled", false) || starved_.contains(id),
                          parsed.value("ExitCode", 0)};
  } catch (const json::exception&) {
    return unreadable("a sandbox");
  }
}

Result<void> Containers::remove(const Daemon& daemon, const std::string& id) {
  if (auto fine = check_container(id); !fine) return fine;
  if (!known(id)) {
    const auto ours = left_by_us(daemon, id);
    if (!ours) return ours.failure().reason == Reason::gone ? Result<void>() : ours.failure();
    if (!*ours) return not_ours(id);
  }
  return destroy(daemon, id);
}

Result<void> Containers::destroy(const Daemon& daemon, const std::string& id) {
  const auto ask = [&] { return daemon.call("DELETE", "/containers/" + id + "?force=1&v=1"); };
  auto answer = ask();
  for (int again = 0; again < 20 && answer && daemon.dialect.ending(*answer); ++again) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    answer = ask();
  }
  if (answer && daemon.dialect.removed(*answer)) {
    forget(id);
    return {};
  }
  {
    const std::lock_guard lock(mutex_);
    stuck_.insert(id);
  }
  return answer ? refusal("remove a sandbox", *answer) : answer.failure();
}

Result<bool> Containers::left_by_us(const Daemon& daemon, const std::string& id) const {
  const auto answer = daemon.call("GET", "/containers/" + id + "/json");
  if (!answer) return answer.failure();
  if (answer->status == 404) return gone();
  if (!answer->ok()) return refusal("describe a container", *answer);
  try {
    const auto labels = json::parse(answer->body).at("Config").value("Labels", json::object());
    return labels.is_object() && labels.value(instance_label, "") == instance_;
  } catch (const json::exception&) {
    return unreadable("a container");
  }
}

void Containers::out_of_memory(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (made_.contains(id)) starved_.insert(id);
}

void Containers::sweep(const Daemon& daemon) {
  const auto answer =
      daemon.call("GET", "/containers/json?all=1&filters=" + filters({{"label", label_of(instance_)}}));
  // Asked after the list was made: what is begun later is not on it.
  if (!answer || !answer->ok() || preparer_.working()) return;
  std::size_t swept = 0;
  try {
    for (const auto& entry : json::parse(answer->body)) {
      const auto id = entry.at("Id").get<std::string>();
      bool ours = check_container(id).ok() && known(id).ok();
      for (const auto& name : entry.value("Names", json::array())) {
        const std::string text = name.get<std::string>();
        const std::lock_guard lock(mutex_);
        ours = ours || names_.contains(text.starts_with('/') ? text.substr(1) : text);
      }
      if (!ours && check_container(id).ok() && destroy(daemon, id).ok()) ++swept;
    }
  } catch (const json::exception&) {
    log::warn("The container engine's list of containers cannot be read; leftovers are not removed.");
  }
  bridge_.sweep(daemon);
  if (swept > 0)
    log::info("Removed " + std::to_string(swept) + " containers that an earlier start left behind.");
}

void Containers::postpone(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (made_.contains(id)) stuck_.insert(id);
}

bool Containers::owing() const {
  const std::lock_guard lock(mutex_);
  return !stuck_.empty();
}

bool Containers::retry(const Daemon& daemon) {
  std::set<std::string> stuck;
  {
    const std::lock_guard lock(mutex_);
    stuck.swap(stuck_);
  }
  bool answers = true;
  for (const auto& id : stuck)
    if (const auto removed = destroy(daemon, id); !removed) {
      log::warn(removed.failure().message);
      answers = answers && removed.failure().reason != Reason::offline;
    }
  return answers;
}

std::vector<std::string> Containers::ids() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all(stuck_.begin(), stuck_.end());
  for (const auto& [id, name] : made_)
    if (!stuck_.contains(id)) all.push_back(id);
  return all;
}

Result<void> Containers::known(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  if (made_.contains(id)) return {};
  return not_ours(id);
}

void Containers::forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (const auto found = made_.find(id); found != made_.end()) {
    names_.erase(found->second);
    made_.erase(found);
  }
  stuck_.erase(id);
  fixed_.erase(id);
  starved_.erase(id);
}

}  // namespace codebox::engine
