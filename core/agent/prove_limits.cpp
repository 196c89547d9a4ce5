#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

#include "agent/prove.hpp"
#include "base/fd.hpp"

namespace codebox::agent::prove {
namespace {

constexpr std::uint64_t beyond = 48 << 20;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void wait_for(const std::vector<pid_t>& children) {
  for (const pid_t child : children) {
    ::kill(child, SIGKILL);
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

// How much processor time busy children get in a while, in thousandths of a core.
std::uint64_t measured() {
  constexpr std::chrono::milliseconds enough{600};
  std::vector<pid_t> children;
  const long cores = std::min(::sysconf(_SC_NPROCESSORS_ONLN), 16L);
  const auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < cores + 1; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      while (std::chrono::steady_clock::now() < start + 2 * enough) {
      }
      ::_exit(0);
    }
    if (child > 0) children.push_back(child);
  }
  while (std::chrono::steady_clock::now() < start + enough) ::usleep(10'000);
  wait_for(children);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  return static_cast<std::uint64_t>((seconds(used.ru_utime) + seconds(used.ru_stime)) / wall.count() * 1000);
}

std::string cores(std::uint64_t thousandths) {
  return std::to_string(thousandths / 1000) + "." + std::to_string(thousandths % 1000 / 100) + " cores";
}

}  // namespace

void processes(std::uint64_t most) {
  std::vector<pid_t> children;
  int error = 0;
  while (error == 0 && children.size() < most + 16) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::pause();
      ::_exit(0);
    }
    if (child < 0) {
      error = errno;
    } else {
      children.push_back(child);
    }
  }
  wait_for(children);
  const auto count = std::to_string(children.size());
  report("processes", error != 0 && children.size() <= most,
         error != 0 ? "fork was refused after " + count
                    : count + " were started, where " + std::to_string(most) + " are allowed");
}

void processor(std::uint64_t thousandths) {
  std::uint64_t quota = 0;
  std::uint64_t period = 100'000;
  const auto unified = slurp("/sys/fs/cgroup/cpu.max");
  if (const auto space = unified.find(' '); space != std::string::npos) {
    quota = unified.starts_with("max") ? ~std::uint64_t{0} : std::strtoull(unified.c_str(), nullptr, 10);
    period = std::strtoull(unified.c_str() + space, nullptr, 10);
  } else if (first_number(
                 {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us"},
                 quota)) {
    first_number({"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us"},
                 period);
  } else {
    // gVisor shows no file and counts time that it did not get, so that only the engine's word is left.
    if (own_kernel())
      return report("processor", true, "the quota was asked for, and gVisor does not show it");
    // Without a file the busy children tell; they are given a fifth more for the first period.
    const auto got = measured();
    return report("processor", got <= thousandths + thousandths / 5 + 100,
                  "busy processes got " + cores(got));
  }
  if (quota == ~std::uint64_t{0} || period == 0) return report("processor", false, "no quota is set");
  const auto allowed = quota * 1000 / period;
  report("processor", allowed <= thousandths + thousandths / 50, "the quota is " + cores(allowed));
}

void memory(std::uint64_t limit) {
  int report_pipe[2];
  if (::pipe(report_pipe) != 0) return;
  const Fd in(report_pipe[0]);
  const pid_t child = ::fork();
  if (child == 0) {
    for (std::uint64_t taken = 0; taken < limit + beyond; taken += 1 << 20) {
      void* const piece =
          ::mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (piece == MAP_FAILED) ::_exit(1);
      std::memset(piece, 1, 1 << 20);
    }
    const auto swapped = field(slurp("/proc/self/status"), "VmSwap");
    const char answer = swapped.empty() || swapped.starts_with("0") ? 'm' : 's';
    ::_exit(::write(report_pipe[1], &answer, 1) == 1 ? 0 : 1);
  }
  ::close(report_pipe[1]);
  char answer = 0;
  const bool survived = child > 0 && ::read(in.get(), &answer, 1) == 1;
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const auto most = mebibytes(limit);
  report("memory", child > 0 && !(survived && answer == 'm'),
         child < 0 ? "nothing could be tried"
         : survived && answer == 'm'
             ? mebibytes(limit + beyond) + " were used, where " + most + " are allowed"
             : "a program that wants more than " + most + " is ended");
  report("swap", child > 0 && !(survived && answer == 's'),
         survived && answer == 's' ? "memory beyond the limit went to swap" : "there is none on top");
}

}  // namespace codebox::agent::prove
