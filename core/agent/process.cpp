#include "agent/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

namespace codebox::agent {
namespace {

std::string_view value_of(const std::vector<std::string>& env, std::string_view name) {
  for (const auto& entry : env) {
    if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=') {
      return std::string_view(entry).substr(name.size() + 1);
    }
  }
  return "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const auto& entry : texts) list.push_back(const_cast<char*>(entry.c_str()));
  list.push_back(nullptr);
  return list;
}

// Tries the program's name in every folder of PATH; gives the errno that says most.
int execute(const std::vector<std::string>& argv, const std::vector<std::string>& env) {
  const auto arguments = pointers(argv);
  const auto environment = pointers(env);
  if (argv[0].find('/') != std::string::npos) {
    ::execve(argv[0].c_str(), arguments.data(), environment.data());
    return errno;
  }
  int worst = ENOENT;
  auto path = value_of(env, "PATH");
  while (!path.empty()) {
    const auto colon = path.find(':');
    std::string candidate(path.substr(0, colon));
    if (!candidate.empty()) {
      candidate += '/';
      candidate += argv[0];
      ::execve(candidate.c_str(), arguments.data(), environment.data());
      if (errno != ENOENT && errno != ENOTDIR) worst = errno;
    }
    if (colon == std::string_view::npos) break;
    path.remove_prefix(colon + 1);
  }
  return worst;
}

void write_text(const char* path, std::string_view text) {
  Fd file(::open(path, O_WRONLY | O_CLOEXEC));
  if (file && ::write(file.get(), text.data(), text.size()) < 0) return;
}

struct ChildEnds {
  int in;
  int out;
  int err;
  int report;
  int control;
};

[[noreturn]] void child(const frames::StepOpen& order, const StepUser& user, const ChildEnds& ends) {
  // Out of the way of the descriptors that the program gets.
  const int report = ::fcntl(ends.report, F_DUPFD_CLOEXEC, 10);
  const auto fail = [&](int error) {
    if (::write(report, &error, sizeof error) < 0) ::_exit(126);
    ::_exit(127);
  };
  // The kernel's out-of-memory killer shall choose the program, never the agent.
  write_text("/proc/self/oom_score_adj", "500");
  // Within the sandbox's share of the processor the agent comes first, also when hundreds of processes want
  // it.
  ::setpriority(PRIO_PROCESS, 0, 5);
  ::setsid();
  const int control = ends.control < 0 ? -1 : ::fcntl(ends.control, F_DUPFD_CLOEXEC, 10);
  if (::dup2(ends.in, 0) < 0 || ::dup2(ends.out, 1) < 0 || ::dup2(ends.err, 2) < 0) fail(errno);
  if (control >= 0 && ::dup2(control, 3) < 0) fail(errno);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::umask(022);
  if (!user.become()) fail(EPERM);
  if (::chdir(order.cwd.c_str()) != 0) fail(errno);
  for (int number = 1; number < 32; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  fail(execute(order.argv, order.env));
  ::_exit(127);
}

}  // namespace

Process spawn(const frames::StepOpen& order, const StepUser& user, int control) {
  Process process;
  const auto failed = [](int error) {
    Process none;
    none.error = error;
    return none;
  };
  if (order.argv.empty() || order.argv[0].empty()) return failed(ENOENT);
  int in[2] = {-1, -1};
  int pair[2];
  if (order.input ? ::pipe2(in, O_CLOEXEC) != 0 : (in[0] = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) < 0) {
    return failed(errno);
  }
  const Fd child_in(in[0]);
  process.in.reset(in[1]);
  if (::pipe2(pair, O_CLOEXEC) != 0) return failed(errno);
  process.out.reset(pair[0]);
  const Fd child_out(pair[1]);
  if (::pipe2(pair, O_CLOEXEC) != 0) return failed(errno);
  process.err.reset(pair[0]);
  const Fd child_err(pair[1]);
  if (::pipe2(pair, O_CLOEXEC) != 0) return failed(errno);
  const Fd report_in(pair[0]);
  Fd report_out(pair[1]);
  const pid_t pid = ::fork();
  if (pid == 0) {
    child(order, user, {child_in.get(), child_out.get(), child_err.get(), report_out.get(), control});
  }
  if (pid < 0) return failed(errno);
  report_out.reset();
  for (const int fd : {process.in.get(), process.out.get(), process.err.get()}) {
    if (fd >= 0) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  }
  int error = 0;
  // Until execve succeeds the child is ours alone, so this read ends promptly.
  if (::read(report_in.get(), &error, sizeof error) == static_cast<ssize_t>(sizeof error))
    return failed(error);
  process.pid = pid;
  return process;
}

}  // namespace codebox::agent
