#include "plugin/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "plugin/limits.hpp"

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

/// The pid, or a negative errno.
pid_t start(const std::filesystem::path& program, int library, int answer) {
  Actions actions;
  // Moved out of the way first: one of the two might have the number that the other gets.
  const Fd from(::fcntl(library, F_DUPFD_CLOEXEC, 16));
  const Fd to(::fcntl(answer, F_DUPFD_CLOEXEC, 16));
  if (!from || !to) return -errno;
  posix_spawn_file_actions_addopen(&actions.files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions.files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions.files, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions.files, from.get(), library_descriptor);
  posix_spawn_file_actions_adddup2(&actions.files, to.get(), answer_descriptor);
  posix_spawn_file_actions_addclosefrom_np(&actions.files, answer_descriptor + 1);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&actions.attributes, &none);
  posix_spawnattr_setsigdefault(&actions.attributes, &all);
  posix_spawnattr_setpgroup(&actions.attributes, 0);
  posix_spawnattr_setflags(&actions.attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::string name = program.native(), verb = "plugin-host", descriptor = std::to_string(library_descriptor);
  char* const argv[] = {name.data(), verb.data(), descriptor.data(), nullptr};
  char* const environment[] = {nullptr};
  pid_t pid = 0;
  const int error = posix_spawn(&pid, name.c_str(), &actions.files, &actions.attributes, argv, environment);
  return error != 0 ? -error : pid;
}

enum class Heard { all, too_much, late };

Heard listen(int pipe, Time deadline, std::string& into) {
  std::array<char, 65536> buffer;
  while (true) {
    pollfd wait{pipe, POLLIN, 0};
    const auto rest = left(deadline).count();
    if (rest == 0) return Heard::late;
    const int ready = ::poll(&wait, 1, static_cast<int>(rest));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return Heard::late;
    const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Heard::all;
    into.append(buffer.data(), static_cast<std::size_t>(got));
    if (into.size() > largest_answer) return Heard::too_much;
  }
}

/// The wait status once the child ended by itself; kills it, and whatever it started, at the deadline.
int reap(pid_t pid, Time deadline, bool& late) {
  while (true) {
    // Looked at without being reaped, so that the group still has its number when it is killed.
    siginfo_t ended{};
    const int error = ::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT);
    if ((error == 0 && ended.si_pid == pid) || (error != 0 && errno != EINTR)) break;
    if (left(deadline).count() == 0) {
      late = true;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

Finding spun(const std::string& how) {
  return {"spun", "The plugin did not give its descriptor " + how +
                      "; its constructors and its entry must return at once."};
}

}  // namespace

Result<Checked<std::string>> describe_library(const std::filesystem::path& program, const Fd& library) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Failure{Reason::internal,
                   std::string("The plugin host cannot be started, no pipe: ") + std::strerror(errno) + "."};
  }
  const Fd pipe(ends[0]);
  Fd answer(ends[1]);
  const pid_t pid = start(program, library.get(), answer.get());
  answer.reset();
  if (pid < 0) {
    return Failure{Reason::internal, "The plugin host " + text::quoted(program.native()) +
                                         " cannot be started: " + std::strerror(-pid) + "."};
  }
  const Time deadline = std::chrono::steady_clock::now() + answer_within;
  std::string json;
  const Heard heard = listen(pipe.get(), deadline, json);
  bool late = heard == Heard::late;
  const int status = reap(pid, heard == Heard::all ? deadline : Time{}, late);
  if (heard == Heard::too_much) {
    return Checked<std::string>(
        Finding{"rule", "The plugin's descriptor is larger than " + text::size(largest_answer) + "."});
  }
  if (late) return Checked<std::string>(spun("within " + std::to_string(answer_within.count()) + " s"));
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    return Checked<std::string>(spun("within " + std::to_string(cpu_seconds) + " s of processor time"));
  }
  if (WIFSIGNALED(status)) {
    return Checked<std::string>(Finding{"crashed", "The plugin crashed while it was loaded: signal " +
                                                       std::to_string(WTERMSIG(status)) + ", " +
                                                       ::strsignal(WTERMSIG(status)) + "."});
  }
  if (WEXITSTATUS(status) != 0 || json.empty()) {
    return Checked<std::string>(Finding{"crashed", "The plugin ended its process with exit code " +
                                                       std::to_string(WEXITSTATUS(status)) +
                                                       " while it was loaded."});
  }
  return Checked<std::string>(std::move(json));
}

}  // namespace codebox::plugin
