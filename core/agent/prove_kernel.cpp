#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "agent/prove.hpp"
#include "base/fd.hpp"

namespace codebox::agent::prove {
namespace {

// Of the agent, whom only the engine can have put behind a filter.
void filter() {
  const auto engine = field(slurp("/proc/1/status"), "Seccomp");
  const bool own = ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2;
  if (engine == "2" && own) return report("seccomp", true, "the engine's profile and the agent's own filter");
  if (own && (engine.empty() || own_kernel())) {
    return report("seccomp", true, "the agent's own filter, before a runtime with a kernel of its own");
  }
  report("seccomp", false, own ? "the engine applies no profile" : "no filter is there");
}

void calls() {
  std::string open;
  const auto refused = [&](const char* name, bool done) {
    if (done) open += std::string(" ") + name;
  };
  const auto call = [](long number, auto... arguments) { return ::syscall(number, arguments...) >= 0; };
  refused("unshare", ::unshare(CLONE_NEWUSER) == 0);
  refused("mount", ::mount("none", "/tmp", "tmpfs", 0, nullptr) == 0);
  refused("fsopen", call(SYS_fsopen, "tmpfs", 0));
  refused("keyctl", call(SYS_keyctl, 0L, -3L, 1L));
  refused("bpf", call(SYS_bpf, 0L, nullptr, 0L));
  refused("io_uring_setup", call(SYS_io_uring_setup, 1L, nullptr));
  refused("userfaultfd", call(SYS_userfaultfd, 1L));
  refused("perf_event_open", call(SYS_perf_event_open, nullptr, 0L, -1L, -1L, 0L));
  for (const int family : {AF_VSOCK, AF_PACKET, AF_ALG, AF_NETLINK}) {
    const Fd socket(::socket(family, SOCK_RAW | SOCK_CLOEXEC, family == AF_NETLINK ? 9 : 0));
    refused("socket", static_cast<bool>(socket));
  }
  refused("ptrace", ::ptrace(PTRACE_SEIZE, 1, nullptr, nullptr) == 0);
  refused("kill", ::kill(1, SIGKILL) == 0);
  report("system-calls", open.empty(),
         open.empty() ? "namespaces, mounts, keys, BPF, io_uring and the agent are out of reach"
                      : "these are not refused:" + open);
}

void files() {
  std::string open;
  for (const char* path :
       {"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger",
        "/proc/sys/vm/drop_caches", "/proc/1/mem", "/proc/1/oom_score_adj", "/sys/kernel/uevent_helper",
        "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/release_agent",
        "/sys/kernel/mm/transparent_hugepage/enabled"}) {
    if (Fd(::open(path, O_WRONLY | O_CLOEXEC))) open += std::string(" ") + path;
  }
  for (const char* path : {"/proc/kcore", "/proc/1/mem"}) {
    const Fd file(::open(path, O_RDONLY | O_CLOEXEC));
    char byte = 0;
    if (file && ::read(file.get(), &byte, 1) > 0) open += std::string(" ") + path;
  }
  report("kernel-files", open.empty(),
         open.empty() ? "/proc and /sys change nothing and tell nothing of the agent" : "these open:" + open);
}

}  // namespace

bool own_kernel() {
  utsname names{};
  return ::uname(&names) == 0 && std::string_view(names.version) == "#1 SMP Sun Jan 10 15:06:54 PST 2016";
}

void kernel() {
  filter();
  calls();
  files();
}

}  // namespace codebox::agent::prove
