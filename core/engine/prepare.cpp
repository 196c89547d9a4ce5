#include "engine/prepare.hpp"

#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/digest.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "engine/body.hpp"
#include "engine/image_labels.hpp"
#include "engine/owner.hpp"
#include "engine/tar.hpp"
#include "engine/workpiece.hpp"

namespace codebox::engine {

using nlohmann::json;

Result<std::shared_ptr<const Preparer::Addition>> Preparer::addition() {
  const std::lock_guard lock(mutex_);
  if (addition_) return addition_;
  std::ifstream file(agent_file_, std::ios::binary);
  const std::string agent((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file || agent.empty())
    return Failure{Reason::internal, "The agent's program " + text::quoted(agent_file_) +
                                         " cannot be read; install codebox completely."};
  std::vector<TarEntry> entries = {{".codebox", "", 0755, true}, {".codebox/agent", agent, 0755}};
  if (!certificates_.empty()) entries.push_back({std::string(ca_path).substr(1), certificates_, 0644});
  auto made = std::make_shared<Addition>();
  made->archive = tar(entries);
  made->digest = sha256(made->archive);
  addition_ = std::move(made);
  return addition_;
}

std::shared_ptr<std::mutex> Preparer::mutex_of(const std::string& tag) {
  const std::lock_guard lock(mutex_);
  auto& mutex = making_[tag];
  if (!mutex) mutex = std::make_shared<std::mutex>();
  return mutex;
}

Result<std::string> Preparer::prepared(const Daemon& daemon, const Image& base) {
  const auto added = addition();
  if (!added) return added.failure();
  const std::string tag = sha256(base.info.id + " " + (*added)->digest).substr(0, 16);
  const std::string reference = std::string(prepared_repository) + ":" + tag;
  old_.used(reference, std::time(nullptr));
  const auto mutex = mutex_of(tag);
  const std::lock_guard once(*mutex);
  const auto there = inspect_image(daemon, reference);
  if (there) return reference;
  if (there.failure().reason != Reason::not_found) return there.failure();
  const auto work = busy();
  const auto made = make(daemon, base, **added, tag);
  if (!made) return made.failure();
  return reference;
}

Result<void> Preparer::make(const Daemon& daemon, const Image& base, const Addition& added,
                            const std::string& tag) {
  const auto workpiece = make_workpiece(daemon, base.info.id, {{instance_label, instance_}});
  if (!workpiece) return workpiece.failure();
  const std::string& id = (*workpiece)->id();
  const auto filled =
      daemon.call("PUT", "/containers/" + id + "/archive?path=/", added.archive, "application/x-tar");
  if (!filled) return filled.failure();
  if (!filled->ok()) return refusal("put the agent into an image", *filled);
  const json config = {{"Labels",
                        {{prepared_base_label, base.info.id},
                         {prepared_owner_label, owner_of(instance_)},
                         {prepared_with_label, added.digest}}}};
  const auto committed = daemon.call(
      "POST", "/commit?container=" + id + "&repo=" + prepared_repository + "&tag=" + tag + "&pause=0",
      config.dump());
  if (!committed) return committed.failure();
  if (!committed->ok()) return refusal("commit a prepared image", *committed);
  log::info("Prepared the image " + std::string(prepared_repository) + ":" + tag + ".");
  old_.remove(daemon, added.digest);
  return {};
}

void Preparer::remove_old(const Daemon& daemon) {
  if (const auto added = addition()) old_.remove(daemon, (*added)->digest);
}

}  // namespace codebox::engine
