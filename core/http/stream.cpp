#include "http/stream.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace codebox::http {
namespace {

class PlainStream final : public Stream {
 public:
  using Stream::Stream;

  Moved read(std::span<char> into) override {
    ssize_t got = 0;
    do {
      got = ::recv(fd(), into.data(), into.size(), MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got > 0) return {Io::done, static_cast<std::size_t>(got)};
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return {Io::wait_read, 0};
    return {};
  }

  Moved write(std::string_view bytes) override {
    ssize_t put = 0;
    do {
      put = ::send(fd(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (put < 0 && errno == EINTR);
    if (put >= 0) return {Io::done, static_cast<std::size_t>(put)};
    if (errno == EAGAIN || errno == EWOULDBLOCK) return {Io::wait_write, 0};
    return {};
  }

  void finish() override { ::shutdown(fd(), SHUT_WR); }
};

}  // namespace

void Stream::cut() {
  ::shutdown(fd(), SHUT_RDWR);
}

std::unique_ptr<Stream> plain_stream(Fd fd) {
  return std::make_unique<PlainStream>(std::move(fd));
}

bool wait_for(const Stream& stream, Io io, Time deadline) {
  pollfd entry{stream.fd(), static_cast<short>(io == Io::wait_write ? POLLOUT : POLLIN), 0};
  while (true) {
    const auto rest = std::min(left(deadline), std::chrono::milliseconds(60'000));
    if (rest.count() == 0) return false;
    const int ready = ::poll(&entry, 1, static_cast<int>(rest.count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool write_all(Stream& stream, std::string_view bytes, std::chrono::milliseconds timeout) {
  constexpr std::size_t portion = 64U << 10;
  while (!bytes.empty()) {
    const Time deadline = SystemClock().now() + timeout;
    std::string_view part = bytes.substr(0, portion);
    bytes.remove_prefix(part.size());
    while (!part.empty()) {
      const Moved moved = stream.write(part);
      if (moved.io == Io::closed) return false;
      if (moved.io == Io::done) {
        part.remove_prefix(moved.bytes);
      } else if (!wait_for(stream, moved.io, deadline)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace codebox::http
