#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "agent/polls.hpp"
#include "agent/process.hpp"
#include "agent/share.hpp"
#include "agent/user.hpp"
#include "agent/wire.hpp"
#include "base/clock.hpp"
#include "base/fd.hpp"

namespace codebox::agent {

/// One step: a process of the step user with its three streams, from its start until all that it left behind
/// is dead and what it had written has been passed on. Owned by the loop; one thread.
class Program {
 public:
  Program(const frames::StepOpen& order, std::uint32_t channel, const StepUser& user, const Share& share,
          Process&& process);

  std::uint32_t channel() const { return channel_; }
  pid_t pid() const { return pid_; }
  /// How long it may be left alone.
  std::chrono::milliseconds rest() const;
  bool finishing() const { return over_; }

  void input(std::string_view bytes, Wire& wire);
  void input_end() { input_ended_ = true; }
  bool preloaded() const { return preloaded_; }
  /// The main process has said that it does nothing any more but to end with this code.
  void announced(int code);
  bool announced() const { return announced_; }
  /// The main process has ended with this wait status.
  void ended(int status);

  void want(Polls& polls, const Wire& wire) const;
  /// Moves bytes and keeps the limit; true once step_ended has been sent. `alone`: no process is left.
  bool turn(const Polls& polls, Wire& wire, bool alone);

  /// The spooled output, handed over once the step is done.
  Fd take_spool(bool err) { return std::move(err ? err_.spool : out_.spool); }

 private:
  struct Pipe {
    Fd fd;
    Fd spool;
    std::uint64_t spool_left = 0;
    std::uint64_t spooled = 0;
  };

  void feed(Wire& wire);
  /// True when nothing is left to read for now.
  bool drain(Pipe& pipe, std::uint8_t flags, Wire& wire);

  std::uint32_t channel_;
  StepUser user_;
  const Share& share_;
  pid_t pid_ = -1;
  Time started_;
  Time deadline_;
  Time over_since_;
  Time next_count_;
  Time quiet_until_;  // the output is not looked at before
  std::uint64_t passed_ = 0;
  bool over_ = false;
  bool timed_out_ = false;
  int status_ = 0;
  int start_error_ = 0;
  bool preloaded_ = false;
  bool announced_ = false;
  std::uint64_t kills_before_ = 0;
  Pipe out_;
  Pipe err_;
  Fd in_;
  std::string input_;
  bool input_ended_ = false;
};

}  // namespace codebox::agent
