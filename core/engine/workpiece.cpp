#include "engine/workpiece.hpp"

#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "engine/body.hpp"

namespace codebox::engine {

using nlohmann::json;

Workpiece::~Workpiece() {
  const auto answer = daemon_.call("DELETE", "/containers/" + id_ + "?force=1&v=1");
  if (!answer || !daemon_.dialect.removed(*answer))
    log::warn("A container for preparing an image was left over.");
}

Result<std::unique_ptr<Workpiece>> make_workpiece(const Daemon& daemon, const std::string& image,
                                                  const std::map<std::string, std::string>& labels) {
  const json body = {{"Image", image},
                     {"Entrypoint", {agent_path}},
                     {"Labels", labels},
                     {"HostConfig", {{"NetworkMode", "none"}}}};
  const auto created = daemon.call("POST", "/containers/create", body.dump());
  if (!created) return created.failure();
  if (!created->ok()) return refusal("prepare an image", *created);
  const auto answer = json::parse(created->body, nullptr, false);
  const std::string id = answer.is_object() ? answer.value("Id", "") : "";
  if (id.empty()) return refusal("prepare an image", *created);
  return std::make_unique<Workpiece>(daemon, id);
}

}  // namespace codebox::engine
