#pragma once
#include <string>
#include <string_view>

#include "sandbox/frames.hpp"

namespace codebox::agent {

namespace frames = sandbox::frames;

/// The stream to the server: frames from one descriptor, frames to another, neither ever blocking. Owned by
/// the loop; one thread. What is queued is bounded by those who send: they look at room() before they take
/// more in.
class Wire {
 public:
  Wire(int in, int out);

  int in() const { return in_; }
  int out() const { return out_; }
  /// Reads what is there; false at its end.
  bool read();
  frames::Decoder::Next next(frames::Frame& frame) { return decoder_.next(frame); }

  void send(frames::Type type, std::uint32_t channel, std::string_view payload = {}, std::uint8_t flags = 0);
  void credit(std::uint32_t channel, std::size_t bytes);
  void result(std::uint32_t channel, const frames::Outcome& outcome);
  /// Writes what can be written; false when nobody reads any more.
  bool flush();
  bool pending() const { return sent_ < queue_.size(); }
  bool room() const { return queue_.size() - sent_ < 256 * 1024; }

 private:
  int in_;
  int out_;
  frames::Decoder decoder_;
  std::string queue_;
  std::size_t sent_ = 0;
};

}  // namespace codebox::agent
