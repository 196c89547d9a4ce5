#include "agent/loop.hpp"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "agent/walk.hpp"

namespace codebox::agent {
namespace {

using frames::Outcome;
using frames::Type;

// Without a word from the server for so long, it is taken for dead (an engine killed under live-restore gives
// no end of stdin); and no sandbox outlives a day.
constexpr std::chrono::seconds lease{60};
constexpr std::chrono::hours longest_life{24};
constexpr std::chrono::seconds kill_patience{5};

}  // namespace

Loop::Loop(int in, int out, const StepUser& user)
    : wire_(in, out), user_(user), transfers_(user), born_(std::chrono::steady_clock::now()), heard_(born_) {
  sigset_t children;
  ::sigemptyset(&children);
  ::sigaddset(&children, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &children, nullptr);
  child_signal_.reset(::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK));
  frames::Hello hello;
  hello.uid = user_.uid;
  wire_.send(Type::hello, 0, hello.encode());
}

void Loop::run() {
  while (true) {
    Polls polls;
    polls.want(wire_.in(), POLLIN);
    if (wire_.pending()) polls.want(wire_.out(), POLLOUT);
    polls.want(child_signal_.get(), POLLIN);
    if (program_) program_->want(polls, wire_);
    if (waiting_) waiting_->want(polls);
    if (program_ && program_->preloaded()) last_word_.want(polls);
    proxy_.want(polls, wire_);
    names_.want(polls);
    polls.wait(patience());

    const auto now = std::chrono::steady_clock::now();
    if (now > heard_ + lease || now > born_ + longest_life) return;
    if (polls.got(wire_.in(), POLLIN) && !orders()) return;
    reap();
    look_at_waiting();
    if (program_ && program_->turn(polls, wire_, alone())) {
      for (const bool err : {false, true})
        transfers_.keep_spool(program_->channel(), err, program_->take_spool(err));
      program_.reset();
    }
    proxy_.turn(polls, wire_);
    names_.turn(polls);
    transfers_.pump(wire_);
    end_killings();
    if (!wire_.flush()) return;
  }
}

int Loop::patience() const {
  if (!killings_.empty() || (program_ && program_->finishing())) return 20;
  if (transfers_.pending(wire_)) return 0;
  if (!program_) return 1000;
  return static_cast<int>(program_->rest().count());
}

bool Loop::orders() {
  if (!wire_.read()) return false;
  heard_ = std::chrono::steady_clock::now();
  frames::Frame frame;
  while (true) {
    switch (wire_.next(frame)) {
      case frames::Decoder::Next::need_more:
        return true;
      case frames::Decoder::Next::broken:
        return false;
      case frames::Decoder::Next::frame:
        if (!order(frame)) return false;
    }
  }
}

bool Loop::order(const frames::Frame& frame) {
  if ((frame.channel & frames::tunnel_bit) != 0) {
    proxy_.frame(frame, wire_);
    return true;
  }
  switch (frame.type) {
    case Type::ping:
      wire_.send(Type::pong, frame.channel);
      return true;
    case Type::put_open:
      if (waiting_ && !waiting_->ready()) {
        waiting_->give_up();
        waiting_.reset();
      }
      [[fallthrough]];
    case Type::put_data:
    case Type::put_end:
      transfers_.put(frame, wire_);
      return true;
    case Type::step:
      if (whole(frame)) start_step(frame.channel);
      return true;
    case Type::preload:
      if (whole(frame)) preload(frame.channel);
      return true;
    case Type::step_input:
      if (program_ && program_->channel() == frame.channel) program_->input(frame.payload, wire_);
      return true;
    case Type::step_input_end:
      if (program_ && program_->channel() == frame.channel) program_->input_end();
      return true;
    case Type::kill_all:
      killings_.push_back({frame.channel, std::chrono::steady_clock::now()});
      return true;
    case Type::list:
      if (whole(frame)) list(frame.channel);
      return true;
    case Type::fetch_open:
    case Type::fetch_close:
      transfers_.fetch(frame, wire_);
      return true;
    default:
      return false;
  }
}

bool Loop::whole(const frames::Frame& frame) {
  if (message_.size() + frame.payload.size() > frames::max_message) ::_exit(1);
  message_.append(frame.payload);
  return (frame.flags & frames::flag_more) == 0;
}

void Loop::start_step(std::uint32_t channel) {
  frames::StepOpen order;
  const bool good = frames::decode(message_, order);
  message_.clear();
  if (!good || program_) ::_exit(1);
  alone_ = false;
  share_.begin(order.installing);
  if (order.installing) {
    // The TMPDIR of installers. Most do not make it, and would fill /tmp instead, which is small.
    const AsStepUser guard(user_);
    ::mkdir("/packages/.tmp", 0755);
  }
  Process process;
  if (order.waiting && waiting_) process = waiting_->become(order);
  // Nothing that waits may see what another step does.
  waiting_.reset();
  if (process.pid < 0) process = spawn(order, user_);
  program_ = std::make_unique<Program>(order, channel, user_, share_, std::move(process));
}

void Loop::preload(std::uint32_t channel) {
  frames::StepOpen order;
  const bool good = frames::decode(message_, order);
  message_.clear();
  if (!good) ::_exit(1);
  if (program_ || waiting_) {
    Outcome outcome;
    outcome.code = Outcome::failed;
    outcome.message = "there is a process already";
    return wire_.result(channel, outcome);
  }
  alone_ = false;
  waiting_ = std::make_unique<Waiting>(std::move(order), channel, user_);
}

bool Loop::alone() {
  if (alone_ || !program_->preloaded()) return alone_;
  if (const auto code = last_word_.of(program_->pid())) program_->announced(*code);
  return program_->announced() && only_left(program_->pid());
}

void Loop::look_at_waiting() {
  if (!waiting_ || !waiting_->turn()) return;
  Outcome outcome;
  if (waiting_->ready()) {
    outcome.message = std::to_string(waiting_->own_memory());
    if (waiting_->pid() >= 0) wire_.result(waiting_->channel(), outcome);
  } else {
    waiting_->give_up();
    outcome.code = Outcome::failed;
    outcome.message = waiting_->why();
    wire_.result(waiting_->channel(), outcome);
  }
  if (waiting_->pid() < 0) waiting_.reset();
}

void Loop::list(std::uint32_t channel) {
  frames::ListOpen order;
  Outcome outcome;
  const bool good = frames::decode(message_, order);
  message_.clear();
  if (!good) ::_exit(1);
  outcome.truncated = Walk(order, channel, user_, wire_).run();
  wire_.result(channel, outcome);
}

void Loop::reap() {
  signalfd_siginfo info{};
  while (::read(child_signal_.get(), &info, sizeof info) > 0) {
  }
  while (true) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    alone_ = pid < 0;
    if (pid <= 0) return;
    if (program_ && pid == program_->pid()) program_->ended(status);
    if (waiting_ && pid == waiting_->pid()) waiting_->ended();
  }
}

void Loop::end_killings() {
  if (killings_.empty()) return;
  if (!alone_) kill_everything(user_);
  reap();
  const auto now = std::chrono::steady_clock::now();
  for (auto at = killings_.begin(); at != killings_.end();) {
    Outcome outcome;
    if (!alone_ && now < at->since + kill_patience) {
      ++at;
      continue;
    }
    if (!alone_) {
      outcome.code = Outcome::failed;
      outcome.message = "a process in the sandbox does not die";
    }
    wire_.result(at->channel, outcome);
    at = killings_.erase(at);
  }
}

}  // namespace codebox::agent
