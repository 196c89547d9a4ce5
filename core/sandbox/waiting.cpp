#include <charconv>

#include "sandbox/live.hpp"
#include "sandbox/request.hpp"

namespace codebox::sandbox {

using frames::Type;

Result<std::uint64_t> LiveSandbox::preload(const Step& step, Time deadline, std::stop_token cancel) {
  const std::string what = "No process waits in the sandbox";
  frames::StepOpen order;
  order.argv = step.argv;
  order.env = step.env;
  order.cwd = step.cwd;
  const auto message = order.encode();
  if (message.size() > frames::max_message) {
    return Failure{Reason::invalid, what + ": its arguments and variables are too long."};
  }
  frames::Outcome outcome;
  bool ended = false;
  Request request(*this, cancel, [&](const frames::Frame& frame) {
    if (ended || frame.type != Type::result) return false;
    return ended = frames::decode(frame.payload, outcome);
  });
  link_.send_message(Type::preload, request.channel, message);
  const auto how = wait([&] { return ended; }, deadline, cancel);
  if (how == Wait::cancelled) {
    abandoned_ = request.channel;
    return Failure{Reason::cancelled, what + " yet."};
  }
  if (how != Wait::done) return unfinished(how, what);
  if (outcome.code != frames::Outcome::ok) return refusal(outcome, what);
  std::uint64_t bytes = 0;
  std::from_chars(outcome.message.data(), outcome.message.data() + outcome.message.size(), bytes);
  return std::uint64_t{bytes};
}

bool LiveSandbox::answers(Time deadline) {
  bool answered = false;
  Request request(*this, {}, [&](const frames::Frame& frame) {
    return !answered && (answered = frame.type == Type::pong);
  });
  link_.send(Type::ping, request.channel);
  return wait([&] { return answered; }, deadline, {}) == Wait::done;
}

bool LiveSandbox::has_ended() {
  // One that is busy is alive.
  const std::unique_lock lock(busy_, std::try_to_lock);
  return lock && link_.broken();
}

}  // namespace codebox::sandbox
