#include "agent/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "agent/terminals.hpp"

namespace codebox::agent {
namespace {

using std::chrono::milliseconds;

// A process that the kernel does not let die (stuck in a driver) must not keep the answer from coming.
constexpr milliseconds patience{600};
// So often its terminals are counted, which bounds how long a program can hold what belongs to all.
constexpr milliseconds between_counts{200};

// Spool files have no name in the sandbox: only the agent's descriptor leads to them.
Fd spool_file() {
  char name[] = "/tmp/.spool-XXXXXX";
  Fd file(::mkostemp(name, O_CLOEXEC));
  if (file) ::unlink(name);
  return file;
}

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

}  // namespace

Program::Program(const frames::StepOpen& order, std::uint32_t channel, const StepUser& user)
    : channel_(channel),
      user_(user),
      started_(std::chrono::steady_clock::now()),
      kills_before_(memory_kills()) {
  const auto limit = std::min<std::uint64_t>(order.limit_ms, 24ULL * 3600 * 1000);
  deadline_ = started_ + milliseconds(limit);
  input_ended_ = !order.input;
  if (order.spool > 0) {
    for (Pipe* pipe : {&out_, &err_}) {
      pipe->spool = spool_file();
      pipe->spool_left = pipe->spool ? order.spool : 0;
    }
  }
  start(order);
  if (pid_ < 0) {
    over_ = true;
    over_since_ = started_;
  }
}

void Program::start(const frames::StepOpen& order) {
  int in[2] = {-1, -1};
  int out[2];
  int err[2];
  int report[2];
  if (order.argv.empty() || order.argv[0].empty()) {
    start_error_ = ENOENT;
    return;
  }
  if (order.input ? ::pipe2(in, O_CLOEXEC) != 0 : (in[0] = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) < 0) {
    start_error_ = errno;
    return;
  }
  Fd child_in(in[0]);
  in_.reset(in[1]);
  if (::pipe2(out, O_CLOEXEC) != 0) {
    start_error_ = errno;
    return;
  }
  out_.fd.reset(out[0]);
  Fd child_out(out[1]);
  if (::pipe2(err, O_CLOEXEC) != 0) {
    start_error_ = errno;
    return;
  }
  err_.fd.reset(err[0]);
  Fd child_err(err[1]);
  if (::pipe2(report, O_CLOEXEC) != 0) {
    start_error_ = errno;
    return;
  }
  Fd report_in(report[0]);
  Fd report_out(report[1]);
  const pid_t pid = ::fork();
  if (pid == 0) child(order, child_in.get(), child_out.get(), child_err.get(), report_out.get());
  if (pid < 0) {
    start_error_ = errno;
    return;
  }
  report_out.reset();
  for (const int fd : {in_.get(), out_.fd.get(), err_.fd.get()}) {
    if (fd >= 0) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  }
  int failed = 0;
  // Until execve succeeds the child is ours alone, so this read ends promptly.
  if (::read(report_in.get(), &failed, sizeof failed) == static_cast<ssize_t>(sizeof failed)) {
    start_error_ = failed;
    return;
  }
  pid_ = pid;
}

void Program::child(const frames::StepOpen& order, int in, int out, int err, int report) const {
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
  if (::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0) fail(errno);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::umask(022);
  if (!user_.become()) fail(EPERM);
  if (::chdir(order.cwd.c_str()) != 0) fail(errno);
  for (int number = 1; number < 32; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  fail(execute(order.argv, order.env));
  ::_exit(127);
}

void Program::input(std::string_view bytes, Wire& wire) {
  if (in_) {
    input_.append(bytes);
  } else {
    wire.credit(channel_, bytes.size());
  }
}

void Program::ended(int status) {
  if (over_) return;
  status_ = status;
  over_ = true;
  over_since_ = std::chrono::steady_clock::now();
}

void Program::want(Polls& polls, const Wire& wire) const {
  if (in_ && !input_.empty()) polls.want(in_.get(), POLLOUT);
  if (!wire.room()) return;
  polls.want(out_.fd.get(), POLLIN);
  polls.want(err_.fd.get(), POLLIN);
}

void Program::feed(Wire& wire) {
  if (!in_) return;
  while (!input_.empty()) {
    const auto put = ::write(in_.get(), input_.data(), input_.size());
    if (put < 0) {
      if (errno == EAGAIN) return;
      in_.reset();
      wire.credit(channel_, input_.size());
      input_.clear();
      return;
    }
    wire.credit(channel_, static_cast<std::size_t>(put));
    input_.erase(0, static_cast<std::size_t>(put));
  }
  if (input_ended_) in_.reset();
}

bool Program::drain(Pipe& pipe, std::uint8_t flags, Wire& wire) {
  char buffer[frames::max_payload];
  while (pipe.fd && wire.room()) {
    const auto got = ::read(pipe.fd.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return true;
    if (got <= 0) {
      pipe.fd.reset();
      break;
    }
    const std::string_view bytes(buffer, static_cast<std::size_t>(got));
    wire.send(frames::Type::output, channel_, bytes, flags);
    if (pipe.spool_left > 0) {
      const auto part = bytes.substr(0, pipe.spool_left);
      const auto put = ::write(pipe.spool.get(), part.data(), part.size());
      // A full disk ends the spool, not the program's output.
      pipe.spool_left = put == static_cast<ssize_t>(part.size()) ? pipe.spool_left - part.size() : 0;
      if (put > 0) pipe.spooled += static_cast<std::uint64_t>(put);
    }
  }
  return !pipe.fd;
}

milliseconds Program::rest() const {
  return std::min(std::chrono::duration_cast<milliseconds>(left(deadline_)), between_counts);
}

bool Program::turn(const Polls& polls, Wire& wire, bool alone) {
  const auto now = std::chrono::steady_clock::now();
  if (!over_ && now >= deadline_) {
    timed_out_ = true;
    over_ = true;
    over_since_ = now;
  }
  if (!over_ && now >= next_count_) {
    next_count_ = now + between_counts;
    if (open_terminals() > most_terminals) {
      const auto limit = std::to_string(most_terminals);
      wire.send(frames::Type::output, channel_,
                "\nThe program was ended because it had more than " + limit +
                    " pseudo-terminals open at once; open fewer.\n",
                frames::flag_err);
      status_ = SIGKILL;
      over_ = true;
      over_since_ = now;
    }
  }
  if (over_ && !alone) kill_everything(user_);
  if (in_ && (input_.empty() || polls.got(in_.get(), POLLOUT))) feed(wire);
  const bool out_empty = drain(out_, 0, wire);
  const bool err_empty = drain(err_, frames::flag_err, wire);
  if (!over_ || !out_empty || !err_empty) return false;
  const bool closed = !out_.fd && !err_.fd;
  if (now < over_since_ + patience && !(alone && closed)) return false;

  frames::StepEnded end;
  end.wall_ms =
      static_cast<std::uint64_t>(std::chrono::duration_cast<milliseconds>(over_since_ - started_).count());
  end.out_of_memory = memory_kills() > kills_before_;
  end.out_spooled = out_.spooled;
  end.err_spooled = err_.spooled;
  if (start_error_ != 0) {
    end.how = frames::StepEnded::not_started;
    end.code = static_cast<std::uint32_t>(start_error_);
  } else if (timed_out_) {
    end.how = frames::StepEnded::timed_out;
  } else if (WIFSIGNALED(status_)) {
    end.how = frames::StepEnded::signalled;
    end.code = static_cast<std::uint32_t>(WTERMSIG(status_));
  } else {
    end.code = static_cast<std::uint32_t>(WEXITSTATUS(status_));
  }
  wire.send(frames::Type::step_ended, channel_, end.encode());
  return true;
}

}  // namespace codebox::agent
