#pragma once
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

namespace codebox::mcp {

/// The calls that a cancel notification may end. A client chooses its ids, and without sessions two clients
/// of one user may choose the same: then neither is cancelled. Any thread.
class Running {
 public:
  /// Keeps one call listed while it lives.
  class Listed {
   public:
    Listed(Running& running, const std::string& user, const std::string& id, std::stop_source stop);
    ~Listed();
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;

   private:
    Running& running_;
    std::multimap<std::pair<std::string, std::string>, std::stop_source>::iterator place_;
  };

  /// Stops the call of `user` with that id (JSON text, so that 1 and "1" differ) if there is exactly one.
  bool cancel(const std::string& user, const std::string& id);

 private:
  std::mutex mutex_;
  std::multimap<std::pair<std::string, std::string>, std::stop_source> calls_;
};

}  // namespace codebox::mcp
