#include "agent/wire.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace codebox::agent {

Wire::Wire(int in, int out) : in_(in), out_(out) {
  for (const int fd : {in, out}) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

bool Wire::read() {
  char buffer[frames::max_payload];
  const auto got = ::read(in_, buffer, sizeof buffer);
  if (got > 0) {
    decoder_.feed({buffer, static_cast<std::size_t>(got)});
    return true;
  }
  return got < 0 && (errno == EAGAIN || errno == EINTR);
}

void Wire::send(frames::Type type, std::uint32_t channel, std::string_view payload, std::uint8_t flags) {
  frames::append(queue_, type, channel, payload, flags);
}

void Wire::credit(std::uint32_t channel, std::size_t bytes) {
  if (bytes == 0) return;
  send(frames::Type::credit, channel, frames::Writer().u32(static_cast<std::uint32_t>(bytes)).take());
}

void Wire::result(std::uint32_t channel, const frames::Outcome& outcome) {
  send(frames::Type::result, channel, outcome.encode());
}

bool Wire::flush() {
  while (pending()) {
    const auto put = ::write(out_, queue_.data() + sent_, queue_.size() - sent_);
    if (put < 0) {
      if (errno == EINTR) continue;
      return errno == EAGAIN;
    }
    sent_ += static_cast<std::size_t>(put);
  }
  queue_.clear();
  sent_ = 0;
  return true;
}

}  // namespace codebox::agent
