#pragma once
#include <sys/types.h>

#include <cstdint>

namespace codebox::agent {

/// The identity under which everything of the caller's runs: a random uid and gid per sandbox, so that two
/// sandboxes share no allowance of the kernel's. A plain value, chosen once at start.
struct StepUser {
  uid_t uid = 0;
  gid_t gid = 0;

  static StepUser choose();
  /// In a forked child: becomes the step user for good, without groups or capabilities and
  /// behind the agent's own system call filter. False when refused.
  bool become() const;
};

/// While it lives, the agent touches files and signals processes as the step user: the kernel checks the
/// effective ids and drops the effective capabilities with them, so a hostile symbolic link can gain nothing.
/// Done in the agent itself, not in a child, because a program that used up the process limit must not keep
/// its files from coming out or its processes from being killed. The real and saved ids stay root's, so
/// nobody can signal the agent. On the stack; the agent has one thread.
class AsStepUser {
 public:
  explicit AsStepUser(const StepUser& user);
  ~AsStepUser();
  AsStepUser(const AsStepUser&) = delete;
  AsStepUser& operator=(const AsStepUser&) = delete;
};

/// Kills every process of the step user at once.
void kill_everything(const StepUser& user);

/// How many processes of this sandbox the kernel has killed for want of memory, as far as it says.
std::uint64_t memory_kills();

}  // namespace codebox::agent
