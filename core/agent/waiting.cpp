#include "agent/waiting.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>

#include "agent/tree.hpp"

namespace codebox::agent {
namespace {

constexpr std::size_t kept = 300;
// A process that the kernel does not let die (stuck in a driver) must not keep the agent.
constexpr std::chrono::milliseconds patience{600};

void add(std::string& out, std::string_view field) {
  out.append(field);
  out.push_back('\0');
}

void add(std::string& out, const std::vector<std::string>& fields) {
  add(out, std::to_string(fields.size()));
  for (const auto& field : fields) add(out, field);
}

}  // namespace

Waiting::Waiting(frames::StepOpen order, std::uint32_t channel, const StepUser& user)
    : channel_(channel), user_(user), folder_(order.cwd) {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    process_.error = errno;
    return;
  }
  control_.reset(pair[0]);
  const Fd theirs(pair[1]);
  order.input = true;
  process_ = spawn(order, user_, theirs.get());
}

Waiting::~Waiting() {
  kill();
}

void Waiting::kill() {
  if (process_.pid < 0) return;
  const AsStepUser guard(user_);
  ::kill(-process_.pid, SIGKILL);
}

void Waiting::give_up() {
  kill_everything(user_);
  // One of them could be about to make or remove a file until then.
  const auto end = std::chrono::steady_clock::now() + patience;
  for (pid_t dead = 0; (dead = ::waitpid(-1, nullptr, WNOHANG)) >= 0 || errno == EINTR;) {
    if (std::chrono::steady_clock::now() >= end) break;
    if (dead <= 0) ::poll(nullptr, 0, 1);
  }
  process_.pid = -1;
  remove_files(folder_, user_);
}

void Waiting::want(Polls& polls) const {
  if (!ready_) polls.want(control_.get(), POLLIN);
  polls.want(process_.out.get(), POLLIN);
  polls.want(process_.err.get(), POLLIN);
}

void Waiting::drop_output() {
  char buffer[4096];
  for (Fd* fd : {&process_.out, &process_.err}) {
    while (*fd) {
      const auto got = ::read(fd->get(), buffer, sizeof buffer);
      if (got < 0) break;
      if (got == 0) fd->reset();
      if (got > 0) said_.append(buffer, static_cast<std::size_t>(got));
      if (said_.size() > kept) said_.erase(0, said_.size() - kept);
    }
  }
}

bool Waiting::turn() {
  drop_output();
  if (process_.pid < 0) return true;
  if (ready_) return false;
  char byte = 0;
  const auto got = ::recv(control_.get(), &byte, 1, MSG_DONTWAIT);
  if (got < 0) return false;
  ready_ = got > 0;
  if (!ready_) kill();
  return ready_;
}

std::uint64_t Waiting::own_memory() const {
  // Pages in all, resident ones, and of those the ones of files.
  std::ifstream in("/proc/" + std::to_string(process_.pid) + "/statm");
  std::uint64_t all = 0, resident = 0, of_files = 0;
  if (!(in >> all >> resident >> of_files) || of_files > resident) return 0;
  return (resident - of_files) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::string Waiting::why() const {
  if (process_.error != 0) return std::string("it did not start (") + std::strerror(process_.error) + ")";
  return "it ended before it was ready: " + said_;
}

Process Waiting::become(const frames::StepOpen& order) {
  Process process;
  if (!ready_ || process_.pid < 0) return process;
  drop_output();
  std::string request;
  add(request, order.argv);
  add(request, order.env);
  add(request, order.cwd);
  add(request, order.input ? "pipe" : "null");
  // It reads at once; one that does not is as good as none.
  const timeval at_most{1, 0};
  ::setsockopt(control_.get(), SOL_SOCKET, SO_SNDTIMEO, &at_most, sizeof at_most);
  std::string_view rest = request;
  while (!rest.empty()) {
    const auto put = ::send(control_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (put <= 0) return process;
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  control_.reset();
  process = std::move(process_);
  process_ = Process();
  process.preloaded = true;
  if (!order.input) process.in.reset();
  return process;
}

}  // namespace codebox::agent
