#pragma once
#include <cstdint>
#include <string>

#include "agent/polls.hpp"
#include "agent/process.hpp"

namespace codebox::agent {

/// A process that was started before there was a program and waits to become it. Its descriptor 3 is a stream
/// to us: it writes a byte when it is ready, then reads to the end what it shall be, as fields that end in
/// NUL: how many arguments, the arguments, how many variables, the variables, the folder, and whether its
/// stdin is `pipe` or shall be `null`. What it had printed until then is nobody's. Owned by the loop; one
/// thread.
class Waiting {
 public:
  Waiting(frames::StepOpen order, std::uint32_t channel, const StepUser& user);
  /// Kills what did not become a program.
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  pid_t pid() const { return process_.pid; }
  std::uint32_t channel() const { return channel_; }
  bool ready() const { return ready_; }
  /// The process has been reaped.
  void ended() { process_.pid = -1; }

  void want(Polls& polls) const;
  /// True when it has just become ready, or has come to nothing (then there is no pid).
  bool turn();
  /// Bytes of memory that are the process's own: files of the image, which others share, are not among them.
  std::uint64_t own_memory() const;
  /// Why it came to nothing, half a sentence.
  std::string why() const;

  /// Makes it the order's program; without a pid when that fails.
  Process become(const frames::StepOpen& order);
  /// Ends one that is not ready, and takes the files with it that it has left in its folder: those of a call
  /// come there next, and it would be in their way. Blocks until it is dead, which takes milliseconds.
  void give_up();

 private:
  void drop_output();
  void kill();

  std::uint32_t channel_;
  StepUser user_;
  std::string folder_;
  Process process_;
  Fd control_;
  bool ready_ = false;
  std::string said_;  ///< the end of what it printed before it was ready
};

}  // namespace codebox::agent
