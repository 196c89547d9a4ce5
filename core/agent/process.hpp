#pragma once
#include <sys/types.h>

#include "agent/user.hpp"
#include "base/fd.hpp"
#include "sandbox/frames.hpp"

namespace codebox::agent {

namespace frames = sandbox::frames;

/// A process of the step user and our ends of its streams, none of which blocks. Owned by the program or what
/// waits to become one; one thread.
struct Process {
  pid_t pid = -1;
  int error = 0;  ///< of the start that failed; pid is -1 then
  Fd in;          ///< invalid where it reads /dev/null
  Fd out;
  Fd err;
  bool preloaded = false;
};

/// Starts the order's program. `control`, if there is one, becomes its descriptor 3.
Process spawn(const frames::StepOpen& order, const StepUser& user, int control = -1);

}  // namespace codebox::agent
