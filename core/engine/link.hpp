#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/fd.hpp"
#include "base/result.hpp"
#include "engine/spawn.hpp"

namespace codebox::engine {

/// One launcher process and the requests that wait for it. Owned by the client. Any thread may ask; a thread
/// of its own receives and, at the end, reaps the process.
class Link {
 public:
  struct Reply {
    std::string text;  ///< the answer's value as JSON
    Fd fd;
  };

  explicit Link(Spawned launcher);
  /// Ends the launcher: it removes its containers first, for which it has half a minute.
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  bool alive() const;
  /// Sends a request (without its id) and waits for the answer; `progress` is called on this thread. The
  /// launcher gets a copy of the descriptor `fd`.
  Result<Reply> ask(nlohmann::json request, const std::function<void(std::string)>& progress = {},
                    const std::stop_token& stop = {}, int fd = -1);

 private:
  struct Waiting {
    std::optional<Result<Reply>> reply;
    std::deque<std::string> progress;
    bool listens = false;  ///< whether anybody takes the progress
  };

  void receive();
  void take(std::string text, Fd fd);
  void undo(const nlohmann::json& value);
  void end();
  Result<std::uint64_t> enter(const std::shared_ptr<Waiting>& waiting);

  const pid_t pid_;
  const Fd control_;
  mutable std::mutex mutex_;  ///< guards what follows
  std::condition_variable_any changed_;
  std::map<std::uint64_t, std::shared_ptr<Waiting>> waiting_;
  std::uint64_t next_ = 1;
  bool closing_ = false;
  bool ended_ = false;
  bool reaped_ = false;
  std::string end_message_;
  std::thread receiver_;
};

}  // namespace codebox::engine
