#pragma once
#include <sys/types.h>

#include <optional>

#include "agent/polls.hpp"
#include "base/fd.hpp"

namespace codebox::agent {

/// Hears from a preloaded program that it is about to end: the kernel takes milliseconds to free the
/// libraries in its memory, which nobody has to wait for. The program connects to the abstract socket
/// `codebox-end` and sends one byte, its exit status; the kernel says who it is. Owned by the loop; one thread.
class LastWord {
 public:
  LastWord();
  void want(Polls& polls) const;
  /// The exit status that the process `pid` has announced, if it has.
  std::optional<int> of(pid_t pid);

 private:
  Fd listener_;
  Fd speaker_;
};

/// Whether `pid` and ourselves are the only processes that are left in the sandbox.
bool only_left(pid_t pid);

}  // namespace codebox::agent
