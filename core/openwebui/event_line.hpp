#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "base/caller.hpp"
#include "base/clock.hpp"

namespace codebox::openwebui {

/// What waits to be sent to one message, and when. No lock and no thread of its own: whoever holds it guards
/// it.
class EventLine {
 public:
  /// `caller` names a message by two UUIDs.
  EventLine(const Caller& caller, Time now);

  void status(std::string text, bool lasting, bool done, Time now);
  /// An event whose JSON is made when it is sent; before any status that waits.
  void add(std::function<std::string()> body);
  /// Nothing more is set; what waits is still sent.
  void close() { closed_ = true; }
  /// Nothing is sent any more.
  void silence();

  /// When the next event is due; nothing where none is.
  std::optional<Time> due() const;
  /// What makes the body of the event that is due.
  std::function<std::string()> take(Time now);
  /// The event that was taken last has been sent, which took that long.
  void sent(Time now, Time::duration took);
  /// Whether nothing will ever be due again.
  bool over() const { return silent_ || (closed_ && bodies_.empty() && !waits_); }

  const std::string& path() const { return path_; }
  const std::string& token() const { return token_; }

 private:
  std::string path_;
  std::string token_;
  std::deque<std::function<std::string()>> bodies_;
  std::string text_;  // of the status that counts now
  bool waits_ = false;
  bool lasting_ = false;
  bool done_ = false;
  bool said_ = false;     // a status was sent
  bool sending_ = false;  // the event that was taken last is a status
  Time since_;            // when the status was set
  Time told_;             // up to when its seconds were told
  Time not_before_;       // of the next status
  bool closed_ = false;
  bool silent_ = false;
};

}  // namespace codebox::openwebui
