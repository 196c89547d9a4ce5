#include "openwebui/event_line.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace codebox::openwebui {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

// A call that is over sooner shows only how it ended.
constexpr auto grace = 250ms;
constexpr auto apart = 500ms;
// What is over sooner is not worth a line, which would only hold up the next one.
constexpr auto fleeting = 150ms;
constexpr std::size_t longest_text = 400;

// Open WebUI keeps every line with the message, so that a long run must not write many.
std::chrono::seconds next_telling(std::chrono::seconds told) {
  if (told < 10s) return told + 2s;
  if (told < 60s) return told + 5s;
  return told + 15s;
}

std::chrono::seconds seconds_between(Time from, Time to) {
  return std::chrono::duration_cast<std::chrono::seconds>(to - from);
}

}  // namespace

EventLine::EventLine(const Caller& caller, Time now)
    : path_("/api/v1/chats/" + caller.chat + "/messages/" + caller.message + "/event"),
      token_(caller.token),
      since_(now),
      told_(now),
      not_before_(now + grace) {}

void EventLine::status(std::string text, bool lasting, bool done, Time now) {
  if (silent_ || done_) return;
  text_ = std::move(text);
  lasting_ = lasting;
  done_ = done;
  waits_ = true;
  since_ = told_ = now;
}

void EventLine::add(std::function<std::string()> body) {
  if (!silent_) bodies_.push_back(std::move(body));
}

void EventLine::silence() {
  silent_ = true;
  bodies_.clear();
  waits_ = lasting_ = false;
}

std::optional<Time> EventLine::due() const {
  if (silent_) return std::nullopt;
  if (!bodies_.empty()) return Time{};
  if (waits_ && done_) return said_ ? not_before_ : Time{};
  if (waits_) return std::max(not_before_, since_ + fleeting);
  if (lasting_ && !closed_) return since_ + next_telling(seconds_between(since_, told_));
  return std::nullopt;
}

std::function<std::string()> EventLine::take(Time now) {
  sending_ = bodies_.empty();
  if (!sending_) {
    auto body = std::move(bodies_.front());
    bodies_.pop_front();
    return body;
  }
  std::string text = text_;
  const auto passed = seconds_between(since_, now);
  if (lasting_ && passed > 0s) text += " (" + std::to_string(passed.count()) + " s)";
  waits_ = false;
  said_ = true;
  told_ = now;
  return [text = std::string(text::prefix(text::one_line(text), longest_text)), done = done_] {
    return json({{"type", "status"}, {"data", {{"description", text}, {"done", done}}}}).dump();
  };
}

void EventLine::sent(Time now, Time::duration took) {
  // A server that is slow gets fewer.
  if (sending_) not_before_ = now + std::max<Time::duration>(apart, 4 * took);
}

}  // namespace codebox::openwebui
