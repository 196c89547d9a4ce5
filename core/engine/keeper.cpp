#include "engine/keeper.hpp"

#include <grp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>

#include "base/log.hpp"
#include "engine/wire.hpp"

namespace codebox::engine {
namespace {

constexpr off_t largest_config = 16 << 20;

std::string read_config(int fd) {
  std::string text;
  std::array<char, 16384> piece{};
  ssize_t got = 0;
  while ((got = ::pread(fd, piece.data(), piece.size(), static_cast<off_t>(text.size()))) > 0) {
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (static_cast<off_t>(text.size()) > largest_config) return {};
  }
  return got < 0 ? std::string() : text;
}

/// The parent, as root. Owned by split_from_root; one thread.
class Keeper {
 public:
  Keeper(pid_t server, Fd line, std::string program)
      : server_(server), line_(std::move(line)), program_(std::move(program)) {
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGCHLD}) ::sigaddset(&set, signal);
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    signals_ = Fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  }

  int serve() {
    while (true) {
      // Before the first wait, too: of a server that ended at once, no signal has come.
      if (const int status = hear_signals(); status >= 0) return status;
      std::array<pollfd, 2> wanted{{{signals_.get(), POLLIN, 0}, {line_.get(), POLLIN, 0}}};
      if (::poll(wanted.data(), wanted.size(), -1) < 0 && errno != EINTR) return 1;
      if (wanted[1].revents != 0) answer();
    }
  }

 private:
  /// The status to end with once the server has ended, else -1.
  int hear_signals() {
    signalfd_siginfo heard{};
    while (::read(signals_.get(), &heard, sizeof heard) == static_cast<ssize_t>(sizeof heard)) {
      if (heard.ssi_signo != SIGCHLD) ::kill(server_, static_cast<int>(heard.ssi_signo));
    }
    int status = 0;
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended == server_) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return -1;
  }

  void answer() {
    auto request = wire::receive(line_.get());
    if (!request || !*request) {
      line_.reset();  // the server is ending
      return;
    }
    const std::string config = (*request)->fd ? read_config((*request)->fd.get()) : std::string();
    if (config_.empty()) config_ = config;
    if (config.empty() || config != config_) {
      (void)wire::send(line_.get(), "The server asked for a launcher of another configuration: refused.");
      return;
    }
    const auto launcher = spawn_launcher(program_, config_);
    if (launcher) {
      (void)wire::send(line_.get(), std::to_string(launcher->pid), launcher->control.get());
    } else {
      (void)wire::send(line_.get(), launcher.failure().message);
    }
  }

  pid_t server_;
  Fd line_;
  std::string program_;
  std::string config_;
  Fd signals_;
};

Failure no_split(const std::string& what) {
  return {Reason::internal, "The server cannot become its user: " + what + ": " + std::strerror(errno) +
                                "; it needs the capabilities SETUID and SETGID."};
}

}  // namespace

Result<Fd> split_from_root(uid_t user, gid_t group, const std::string& program) {
  auto ends = wire::make_pair();
  if (!ends) return ends.failure();
  const pid_t parent = ::getpid();
  const pid_t server = ::fork();
  if (server < 0) return no_split("fork failed");
  if (server > 0) {
    ends->first.reset();
    ::_exit(Keeper(server, std::move(ends->second), program).serve());
  }
  ends->second.reset();
  if (::setgroups(0, nullptr) != 0) return no_split("its groups cannot be left");
  if (::setresgid(group, group, group) != 0) return no_split("its group cannot be taken");
  if (::setresuid(user, user, user) != 0) return no_split("its user cannot be taken");
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // After the change of user, which would forget it.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
  if (::getppid() != parent) return no_split("its parent has ended");
  return std::move(ends->first);
}

Result<Spawned> spawn_by_keeper(int keeper, const std::string& config) {
  const Fd file = memory_file(config);
  if (!file) return Failure{Reason::internal, "No file descriptor or memory is left to start the launcher."};
  if (auto asked = wire::send(keeper, "launch", file.get()); !asked) return asked.failure();
  auto reply = wire::receive(keeper);
  if (!reply) return reply.failure();
  if (!*reply) {
    return Failure{Reason::internal, "The process that starts launchers has ended; start the server again."};
  }
  const std::string& text = (*reply)->text;
  Spawned launcher;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), launcher.pid);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || launcher.pid <= 1 || !(*reply)->fd) {
    return Failure{Reason::internal, text};
  }
  launcher.control = std::move((*reply)->fd);
  return launcher;
}

}  // namespace codebox::engine
