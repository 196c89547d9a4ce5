#include "plugin/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "base/fd.hpp"
#include "base/text.hpp"

namespace codebox::plugin {
namespace {

struct Actions {
  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};
  Actions() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
  }
  ~Actions() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
  }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
};

Failure unstarted(const std::filesystem::path& program, int error) {
  return {Reason::internal, "The plugin host " + text::quoted(program.native()) +
                                " cannot be started: " + std::strerror(error) + "."};
}

}  // namespace

Result<pid_t> start_host(const std::filesystem::path& program, const std::vector<std::string>& words,
                         const std::vector<Passed>& passed) {
  Actions actions;
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions.files, standard, "/dev/null", O_RDWR, 0);
  std::vector<Fd> moved;
  int last = STDERR_FILENO;
  for (const Passed& one : passed) {
    // Moved out of the way first: it might have the number that another one gets.
    moved.emplace_back(::fcntl(one.from, F_DUPFD_CLOEXEC, 16));
    if (!moved.back()) return unstarted(program, errno);
    posix_spawn_file_actions_adddup2(&actions.files, moved.back().get(), one.as);
    last = std::max(last, one.as);
  }
  posix_spawn_file_actions_addclosefrom_np(&actions.files, last + 1);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&actions.attributes, &none);
  posix_spawnattr_setsigdefault(&actions.attributes, &all);
  posix_spawnattr_setpgroup(&actions.attributes, 0);
  posix_spawnattr_setflags(&actions.attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> texts = {program.native(), "plugin-host"};
  texts.insert(texts.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  char* const environment[] = {nullptr};
  pid_t pid = 0;
  const int error =
      posix_spawn(&pid, program.c_str(), &actions.files, &actions.attributes, argv.data(), environment);
  if (error != 0) return unstarted(program, error);
  return pid;
}

Ended end_host(pid_t pid, Time deadline) {
  Ended out;
  while (true) {
    // Looked at without being reaped, so that the group still has its number when it is killed.
    siginfo_t ended{};
    const int error = ::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT);
    if ((error == 0 && ended.si_pid == pid) || (error != 0 && errno != EINTR)) break;
    if (left(deadline).count() == 0) {
      out.killed = true;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ::kill(-pid, SIGKILL);
  while (::waitpid(pid, &out.status, 0) < 0 && errno == EINTR) continue;
  return out;
}

}  // namespace codebox::plugin
