#include "agent/program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace codebox::agent {
namespace {

using std::chrono::milliseconds;

// A process that the kernel does not let die (stuck in a driver) must not keep the answer from coming.
constexpr milliseconds patience{600};
// So often what it shares with others is counted, which bounds how long a program can hold what belongs to
// all.
constexpr milliseconds between_counts{200};
// After little output the next is gathered for so long, so that a program which writes line by line does not
// wake the agent (whose time is the sandbox's) and the server for each. Who writes much is read at once.
constexpr milliseconds gathering{2};
constexpr std::uint64_t little = 4096;

// Spool files have no name in the sandbox: only the agent's descriptor leads to them.
Fd spool_file() {
  char name[] = "/tmp/.spool-XXXXXX";
  Fd file(::mkostemp(name, O_CLOEXEC));
  if (file) ::unlink(name);
  return file;
}

}  // namespace

Program::Program(const frames::StepOpen& order, std::uint32_t channel, const StepUser& user,
                 const Share& share, Process&& process)
    : channel_(channel),
      user_(user),
      share_(share),
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
  pid_ = process.pid;
  start_error_ = process.error;
  preloaded_ = process.preloaded;
  in_ = std::move(process.in);
  out_.fd = std::move(process.out);
  err_.fd = std::move(process.err);
  if (pid_ < 0) {
    over_ = true;
    over_since_ = started_;
  }
}

void Program::input(std::string_view bytes, Wire& wire) {
  if (in_) {
    input_.append(bytes);
  } else {
    wire.credit(channel_, bytes.size());
  }
}

void Program::announced(int code) {
  if (over_) return;
  announced_ = true;
  ended(W_EXITCODE(code, 0));
}

void Program::ended(int status) {
  if (over_) return;
  status_ = status;
  over_ = true;
  over_since_ = std::chrono::steady_clock::now();
}

void Program::want(Polls& polls, const Wire& wire) const {
  if (in_ && !input_.empty()) polls.want(in_.get(), POLLOUT);
  if (!wire.room() || (!over_ && std::chrono::steady_clock::now() < quiet_until_)) return;
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
    passed_ += bytes.size();
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
  const auto rest = std::min(left(deadline_), between_counts);
  const auto quiet = left(quiet_until_);
  return quiet.count() > 0 ? std::min(rest, quiet) : rest;
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
    if (const auto what = share_.over(); !what.empty()) {
      wire.send(frames::Type::output, channel_, "\nThe program was ended because it " + what + "\n",
                frames::flag_err);
      status_ = SIGKILL;
      over_ = true;
      over_since_ = now;
    }
  }
  if (over_ && !alone) kill_everything(user_);
  if (in_ && (input_.empty() || polls.got(in_.get(), POLLOUT))) feed(wire);
  const auto passed_before = passed_;
  const bool out_empty = drain(out_, 0, wire);
  const bool err_empty = drain(err_, frames::flag_err, wire);
  const auto passed = passed_ - passed_before;
  if (passed > 0 && passed < little) quiet_until_ = now + gathering;
  if (!over_ || !out_empty || !err_empty) return false;
  const bool closed = !out_.fd && !err_.fd;
  if (now < over_since_ + patience && !(alone && closed)) return false;

  frames::StepEnded end;
  end.wall_ms =
      static_cast<std::uint64_t>(std::chrono::duration_cast<milliseconds>(over_since_ - started_).count());
  end.out_of_memory = memory_kills() > kills_before_;
  end.out_spooled = out_.spooled;
  end.err_spooled = err_.spooled;
  end.preloaded = preloaded_;
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
