#include "sandbox/live.hpp"

#include <poll.h>

#include <algorithm>

#include "base/log.hpp"
#include "base/text.hpp"
#include "sandbox/caretaker.hpp"
#include "sandbox/request.hpp"

namespace codebox::sandbox {
namespace {

using frames::Type;
using std::chrono::milliseconds;

constexpr milliseconds between_looks{1000};

}  // namespace

LiveSandbox::Request::Request(LiveSandbox& owner, const std::stop_token& cancel, Handler handler)
    : sandbox(owner), lock(owner.busy_), channel(++owner.last_channel_), wake(cancel, Wake{owner.link_}) {
  owner.channel_ = channel;
  owner.handler_ = std::move(handler);
}

LiveSandbox::Request::~Request() {
  sandbox.channel_ = 0;
  sandbox.handler_ = nullptr;
}

Failure refusal(const frames::Outcome& outcome, const std::string& what) {
  Reason reason = Reason::internal;
  if (outcome.code == frames::Outcome::invalid) reason = Reason::invalid;
  if (outcome.code == frames::Outcome::not_found) reason = Reason::not_found;
  if (outcome.code == frames::Outcome::too_large) reason = Reason::too_large;
  const auto why = text::one_line(outcome.message);
  return {reason, what + ": " + std::string(text::prefix(why, 300)) + "."};
}

LiveSandbox::LiveSandbox(engine::Engine& engine, engine::Container&& container, const engine::Limits& limits,
                         std::shared_ptr<Caretaker> caretaker)
    : engine_(engine),
      id_(container.id),
      limits_(limits),
      caretaker_(std::move(caretaker)),
      link_(std::move(container)),
      tunnels_(link_) {}

LiveSandbox::~LiveSandbox() {
  caretaker_->leave(*this);
  // An attached stream that nobody reads holds up the removal, so it goes first.
  link_.close();
  caretaker_->remove(id_);
}

void LiveSandbox::turn(milliseconds longest) {
  link_.keep_lease();
  std::vector<pollfd> polls;
  const auto events = static_cast<short>(link_.pending() ? POLLIN | POLLOUT : POLLIN);
  polls.push_back({link_.stream(), events, 0});
  polls.push_back({link_.event(), POLLIN, 0});
  tunnels_.want(polls);
  if (::poll(polls.data(), polls.size(), static_cast<int>(longest.count())) < 0) return;
  if (polls[1].revents != 0) link_.clear_event();
  if (polls[0].revents != 0) link_.read_some();
  frames::Frame frame;
  while (link_.next(frame)) dispatch(frame);
  if (link_.broken()) return;
  tunnels_.turn(polls);
  link_.write_some();
}

void LiveSandbox::dispatch(const frames::Frame& frame) {
  bool good = false;
  if ((frame.channel & frames::tunnel_bit) != 0) {
    good = tunnels_.frame(frame);
  } else if (frame.type == Type::pong && frame.channel == 0) {
    good = true;
  } else if (frame.type == Type::result && abandoned_ != 0 && frame.channel == abandoned_) {
    abandoned_ = 0;
    good = true;
  } else if (handler_ && (frame.channel == channel_ || frame.type == Type::hello)) {
    good = handler_(frame);
  }
  if (!good) link_.fail("the agent in the sandbox broke the protocol");
}

LiveSandbox::Wait LiveSandbox::wait(const std::function<bool()>& done, Time deadline,
                                    const std::stop_token& cancel) {
  // What came with the attach, or is queued already, needs no poll.
  frames::Frame frame;
  while (link_.next(frame)) dispatch(frame);
  link_.write_some();
  while (true) {
    if (done()) return Wait::done;
    if (link_.broken()) return Wait::broken;
    if (cancel.stop_requested()) return Wait::cancelled;
    const auto rest = left(deadline);
    if (rest.count() == 0) return Wait::deadline;
    turn(std::min(rest, between_looks));
  }
}

Failure LiveSandbox::unfinished(Wait how, const std::string& what) {
  switch (how) {
    case Wait::cancelled:
      link_.fail("the call was cancelled");
      return {Reason::cancelled, what + ": the call was cancelled."};
    case Wait::deadline:
      link_.fail("the agent in the sandbox did not answer in time");
      return {Reason::timeout, what + ": the time of the call was used up."};
    default:
      return {Reason::gone, what + ": " + link_.why() + "."};
  }
}

Result<void> LiveSandbox::greet(Time deadline, std::stop_token cancel) {
  frames::Hello hello;
  bool greeted = false;
  Request request(*this, cancel, [&](const frames::Frame& frame) {
    greeted = !greeted && frame.type == Type::hello && frames::decode(frame.payload, hello);
    return greeted;
  });
  const auto how = wait([&] { return greeted; }, deadline, cancel);
  if (how != Wait::done) {
    auto failure = unfinished(how, "The sandbox did not start");
    if (failure.reason == Reason::gone) failure.reason = Reason::engine;
    return failure;
  }
  if (hello.version != frames::version) {
    return Failure{Reason::image, "The sandbox's agent speaks version " + std::to_string(hello.version) +
                                      " and this server version " + std::to_string(frames::version) +
                                      "; remove the prepared image so that it is made anew."};
  }
  caretaker_->add(*this);
  return {};
}

void LiveSandbox::keep_alive() {
  const std::unique_lock lock(busy_, std::try_to_lock);
  if (lock && !link_.broken()) turn(milliseconds(0));
}

Result<void> LiveSandbox::kill_all(Time deadline) {
  frames::Outcome outcome;
  bool ended = false;
  Request request(*this, {}, [&](const frames::Frame& frame) {
    if (ended || frame.type != Type::result) return false;
    return ended = frames::decode(frame.payload, outcome);
  });
  link_.send(Type::kill_all, request.channel);
  const auto how = wait([&] { return ended; }, deadline, {});
  if (how != Wait::done) return unfinished(how, "The sandbox's processes were not ended");
  if (outcome.code != frames::Outcome::ok) return refusal(outcome, "The sandbox's processes were not ended");
  return {};
}

void LiveSandbox::set_gate(egress::Gate* gate) {
  const std::lock_guard lock(busy_);
  tunnels_.set_gate(gate);
  link_.write_some();
}

Result<void> LiveSandbox::allow_install(bool allowed) {
  auto set = engine_.set_memory(id_, engine::memory_limit(limits_, allowed));
  if (set.ok() || allowed) return set;
  // A limit that stays higher harms nobody but the host's reserve, and the sandbox is short-lived.
  log::warn("The memory limit of a sandbox could not be lowered after an install: " + set.failure().message);
  return {};
}

bool LiveSandbox::killed_for_memory() {
  const auto state = engine_.state(id_);
  return state.ok() && state->out_of_memory;
}

}  // namespace codebox::sandbox
