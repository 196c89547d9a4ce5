#include "http/flight.hpp"

#include "http/answer.hpp"

namespace codebox::http {

void Flight::may_begin(const std::string& content_type, const std::string& beat) {
  if (!begin_ || beat.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    if (!beat_.empty()) return;
    content_type_ = content_type;
    beat_ = beat;
  }
  begin_(SystemClock().now() + options_.beat_after);
}

bool Flight::say(const std::string& content_type, const std::string& text, const std::string& beat) {
  // What a client does not take in time is not kept for it.
  constexpr std::size_t most_unsent = 1U << 20;
  if (!begin_) return false;
  {
    const std::lock_guard lock(mutex_);
    if (finished_ || (committed_ && content_type_ != content_type)) return false;
    if (unsent_.size() > most_unsent) return true;
    content_type_ = content_type;
    beat_ = beat;
    if (unsent_.empty()) stalled_ = SystemClock().now();
    if (!committed_) commit();
    unsent_ += chunk(text);
  }
  begin_(SystemClock().now());
  return true;
}

void Flight::commit() {
  Response opening;
  opening.content_type = content_type_;
  // A proxy would hold events back until it has a block of them.
  if (content_type_ == "text/event-stream")
    opening.headers = {{"Cache-Control", "no-cache, no-transform"}, {"X-Accel-Buffering", "no"}};
  unsent_ += answer_head(opening, {}, false);
  committed_ = true;
}

std::optional<Time> Flight::beat() {
  std::unique_lock lock(mutex_);
  if (finished_) return {};
  const Time now = SystemClock().now();
  if (unsent_.empty()) {
    if (!committed_) commit();
    unsent_ += chunk(beat_);
    stalled_ = now;
  }
  while (!unsent_.empty()) {
    const Moved moved = stream_.write(unsent_);
    if (moved.io == Io::done) {
      unsent_.erase(0, moved.bytes);
      continue;
    }
    if (moved.io != Io::closed && now < stalled_ + options_.send_timeout) break;
    lock.unlock();
    leave();
    return {};
  }
  return now + options_.beat_every;
}

std::optional<std::string> Flight::finish() {
  const std::lock_guard lock(mutex_);
  finished_ = true;
  if (!committed_) return {};
  return unsent_;
}

}  // namespace codebox::http
