#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "engine/engine.hpp"
#include "sandbox/demux.hpp"
#include "sandbox/frames.hpp"

namespace codebox::sandbox {

/// The server's end of the stream to one agent: frames in and out, never blocking, and an event that wakes
/// whoever polls. Owned by a live sandbox; one thread at a time, but wake() from any.
class Link {
 public:
  explicit Link(engine::Container&& container);

  int stream() const { return stream_.get(); }
  int event() const { return event_.get(); }
  void wake() const;
  void clear_event() const;

  void send(frames::Type type, std::uint32_t channel, std::string_view payload = {}, std::uint8_t flags = 0);
  void send_message(frames::Type type, std::uint32_t channel, std::string_view message);
  void credit(std::uint32_t channel, std::size_t bytes);
  bool pending() const { return sent_ < queue_.size(); }
  bool room() const { return queue_.size() - sent_ < 1024 * 1024; }
  /// Sends a ping when the last one is old.
  void keep_lease();

  void write_some();
  void read_some();
  /// The next frame that has arrived; false when there is none or the link is broken.
  bool next(frames::Frame& frame);

  /// From then on nothing is sent or read; the first reason stays.
  void fail(std::string why);
  bool broken() const { return !why_.empty(); }
  const std::string& why() const { return why_; }
  void close();

 private:
  void take(std::string_view bytes);

  Fd stream_;
  Fd event_;
  Demux demux_;
  frames::Decoder decoder_;
  std::string queue_;
  std::size_t sent_ = 0;
  std::size_t complaints_ = 0;
  bool ended_ = false;  ///< nothing more will come
  bool deaf_ = false;   ///< nobody reads what we send
  Time pinged_;
  std::string why_;
};

}  // namespace codebox::sandbox
