#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "base/clock.hpp"
#include "base/fd.hpp"

namespace codebox::http {

/// What became of one attempt to move bytes.
enum class Io {
  done,        ///< some bytes moved
  wait_read,   ///< nothing yet: try again when the socket is readable
  wait_write,  ///< when it is writable
  closed,      ///< the peer ended it, or it broke
};

/// How one attempt ended, and how many bytes it moved. Plain value.
struct Moved {
  Io io = Io::closed;
  std::size_t bytes = 0;
};

/// One client's socket, plain or with TLS; never blocks. Owned by its connection. One thread at a time,
/// except cut().
class Stream {
 public:
  explicit Stream(Fd fd) : fd_(std::move(fd)) {}
  virtual ~Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  int fd() const { return fd_.get(); }
  virtual Moved read(std::span<char> into) = 0;
  virtual Moved write(std::string_view bytes) = 0;
  /// Nothing more will be written; what is on its way still arrives.
  virtual void finish() = 0;
  /// Ends both directions at once and wakes whoever waits on it. Any thread.
  void cut();

 private:
  Fd fd_;
};

std::unique_ptr<Stream> plain_stream(Fd fd);

/// Waits until a try that ended with `io` may be repeated; false when the deadline passed first.
bool wait_for(const Stream& stream, Io io, Time deadline);

/// Writes everything; false when the peer is lost or took longer than `timeout` for 64 KiB.
bool write_all(Stream& stream, std::string_view bytes, std::chrono::milliseconds timeout);

}  // namespace codebox::http
