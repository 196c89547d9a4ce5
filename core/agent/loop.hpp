#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agent/last_word.hpp"
#include "agent/names.hpp"
#include "agent/polls.hpp"
#include "agent/program.hpp"
#include "agent/proxy.hpp"
#include "agent/share.hpp"
#include "agent/transfers.hpp"
#include "agent/waiting.hpp"
#include "agent/wire.hpp"

namespace codebox::agent {

/// The agent's one loop: takes orders from the server, runs steps, moves bytes, and ends itself when the
/// server is gone. Owned by main; one thread.
class Loop {
 public:
  Loop(int in, int out, const StepUser& user);
  /// Returns when the sandbox's life is over.
  void run();

 private:
  struct Killing {
    std::uint32_t channel = 0;
    Time since;
  };

  bool orders();
  bool order(const frames::Frame& frame);
  /// Collects a message that is spread over frames; true when `message_` is whole.
  bool whole(const frames::Frame& frame);
  void start_step(std::uint32_t channel);
  void preload(std::uint32_t channel);
  void look_at_waiting();
  /// Whether no process is left that can still do something.
  bool alone();
  void list(std::uint32_t channel);
  void reap();
  void end_killings();
  int patience() const;

  Wire wire_;
  StepUser user_;
  Share share_;
  Fd child_signal_;
  Proxy proxy_;
  Names names_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Waiting> waiting_;
  LastWord last_word_;
  Transfers transfers_;
  std::vector<Killing> killings_;
  std::string message_;
  bool alone_ = true;
  Time born_;
  Time heard_;
};

}  // namespace codebox::agent
