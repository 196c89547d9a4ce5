#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>

#include "base/fd.hpp"
#include "base/result.hpp"
#include "engine/containers.hpp"
#include "engine/daemon.hpp"
#include "engine/layers.hpp"
#include "engine/prepare.hpp"
#include "engine/protocol.hpp"
#include "engine/workers.hpp"

namespace codebox::engine {

/// Takes the server's requests from the control socket and does them, each on a thread of a small set; pulls,
/// which take minutes, have threads of their own. Owned by launcher_main, which calls serve() once.
class Desk {
 public:
  Desk(Fd control, LauncherConfig config);
  /// Returns when the control socket has ended and every container of ours is removed.
  void serve();

 private:
  struct Outcome;
  void take(const std::string& text, std::shared_ptr<const Fd> fd);
  void perform(std::uint64_t id, const nlohmann::json& request, const Fd& fd, const std::stop_token& stop);
  Result<Outcome> answer(std::uint64_t id, const nlohmann::json& request, const Fd& fd,
                         const std::stop_token& stop);
  Result<Outcome> about_layers(const Daemon& daemon, const nlohmann::json& request, const Fd& fd);
  Result<void> pull_image(const Daemon& daemon, std::uint64_t id, const std::string& reference,
                          const std::stop_token& stop);
  void reply(const nlohmann::json& message, int fd = -1);
  void tidy(const std::stop_token& stop);
  void remove_all();

  const Fd control_;
  const LauncherConfig config_;
  Finder finder_;
  Preparer preparer_;
  Layers layers_;
  Containers containers_;
  std::mutex mutex_;  ///< guards running_
  std::map<std::uint64_t, std::stop_source> running_;
  Workers pulls_{3};
  Workers workers_{16};
};

}  // namespace codebox::engine
