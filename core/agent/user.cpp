#include "agent/user.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "agent/confine.hpp"
#include "base/fd.hpp"

namespace codebox::agent {
namespace {

constexpr uid_t keep = static_cast<uid_t>(-1);

std::string slurp(const char* path) {
  Fd file(::open(path, O_RDONLY | O_CLOEXEC));
  std::string text(4096, '\0');
  const auto got = file ? ::read(file.get(), text.data(), text.size()) : 0;
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

// How many ids this user namespace maps from 0 on; a rootless engine maps few.
std::uint64_t mapped_ids() {
  const auto map = slurp("/proc/self/uid_map");
  std::uint64_t end = 0;
  const char* at = map.c_str();
  while (*at != '\0') {
    char* next = nullptr;
    const auto first = std::strtoull(at, &next, 10);
    std::strtoull(next, &next, 10);
    const auto count = std::strtoull(next, &next, 10);
    if (next == at || count == 0) break;
    if (first == end) end += count;
    at = next;
    while (*at == '\n' || *at == ' ') ++at;
  }
  return end == 0 ? 0xFFFFFFFFULL : end;
}

}  // namespace

StepUser StepUser::choose() {
  std::uint32_t dice = 0;
  if (::getrandom(&dice, sizeof dice, 0) != static_cast<ssize_t>(sizeof dice)) std::abort();
  const auto mapped = mapped_ids();
  std::uint64_t low = 100'000;
  std::uint64_t high = 2'000'000'000;
  if (mapped < high) {
    high = mapped - 1;
    if (high <= low * 2) low = 1000;
  }
  const auto id = static_cast<uid_t>(low + dice % (high > low ? high - low : 1));
  return {id, id};
}

bool StepUser::become() const {
  // The plain system calls: libc's wrappers coordinate threads, which a forked child does not have.
  if (::syscall(SYS_setgroups, 0, nullptr) != 0 || ::syscall(SYS_setresgid, gid, gid, gid) != 0 ||
      ::syscall(SYS_setresuid, uid, uid, uid) != 0) {
    return false;
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  if (::syscall(SYS_capset, &header, none) != 0) return false;
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && confine();
}

AsStepUser::AsStepUser(const StepUser& user) {
  if (::syscall(SYS_setresgid, keep, user.gid, keep) != 0 ||
      ::syscall(SYS_setresuid, keep, user.uid, keep) != 0) {
    std::abort();
  }
}

AsStepUser::~AsStepUser() {
  if (::syscall(SYS_setresuid, keep, 0, keep) != 0 || ::syscall(SYS_setresgid, keep, 0, keep) != 0)
    std::abort();
}

void kill_everything(const StepUser& user) {
  AsStepUser guard(user);
  ::kill(-1, SIGKILL);
}

std::uint64_t memory_kills() {
  for (const char* path : {"/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"}) {
    const auto text = slurp(path);
    const auto at = text.find("oom_kill ");
    if (at != std::string::npos) return std::strtoull(text.c_str() + at + 9, nullptr, 10);
  }
  return 0;
}

}  // namespace codebox::agent
