#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "agent/loop.hpp"
#include "agent/prove.hpp"
#include "agent/user.hpp"

namespace {

// Readable only by us: /proc/1/fd and /proc/1/mem stay closed to the step user, and no core of ours is
// written.
void close_ourselves() {
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
  ::signal(SIGINT, SIG_IGN);
  ::syscall(SYS_setgroups, 0, nullptr);
  ::umask(022);
  // What an engine may have left open is none of a program's business.
  if (::syscall(SYS_close_range, 3U, ~0U, 0U) != 0) {
    for (int fd = 3; fd < 1024; ++fd) ::close(fd);
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace codebox::agent;
  if (argc > 2 && std::strcmp(argv[1], "prove") == 0) return prove::main(argc - 2, argv + 2);
  close_ourselves();
  const auto user = StepUser::choose();
  ::mkdir("/tmp/.support", 0755);
  {
    const AsStepUser guard(user);
    for (const char* folder : {"/sandbox/output", "/tmp/home"}) ::mkdir(folder, 0755);
  }
  Loop(STDIN_FILENO, STDOUT_FILENO, user).run();
  return 0;
}
