#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "agent/tree.hpp"
#include "agent/user.hpp"
#include "agent/wire.hpp"
#include "base/fd.hpp"

namespace codebox::agent {

/// The files on their way between the server and the sandbox, at most eight each way, and the spooled output
/// of steps, which is fetched like a file. Owned by the loop; one thread.
class Transfers {
 public:
  explicit Transfers(const StepUser& user) : user_(user) {}

  /// put_open, put_data and put_end; what is not of a file under way is passed over.
  void put(const frames::Frame& frame, Wire& wire);
  /// fetch_open and fetch_close.
  void fetch(const frames::Frame& frame, Wire& wire);
  /// Keeps what a step printed under the name by which the server asks for it; nothing where it printed
  /// nothing.
  void keep_spool(std::uint32_t channel, bool err, Fd spool);

  /// Whether bytes wait only for room on the wire.
  bool pending(const Wire& wire) const { return !fetches_.empty() && wire.room(); }
  /// Sends of what is fetched as much as there is room for.
  void pump(Wire& wire);

 private:
  struct Fetch {
    Fd file;
    std::uint64_t left = 0;  ///< bytes
  };

  void open_put(const frames::Frame& frame, Wire& wire);
  void open_fetch(const frames::Frame& frame, Wire& wire);
  Opened open(const std::string& path, frames::Outcome& outcome) const;

  StepUser user_;
  std::map<std::uint32_t, Put> puts_;       ///< by channel
  std::map<std::uint32_t, Fetch> fetches_;  ///< by channel
  std::map<std::string, Fd> spools_;        ///< by path
};

}  // namespace codebox::agent
