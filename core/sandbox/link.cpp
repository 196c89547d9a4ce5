#include "sandbox/link.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/log.hpp"
#include "base/text.hpp"

namespace codebox::sandbox {
namespace {

constexpr std::chrono::seconds between_pings{4};
// What the agent may say on its stderr before it is no longer listened to.
constexpr std::size_t most_complaints = 4096;

}  // namespace

Link::Link(engine::Container&& container)
    : stream_(std::move(container.stream)),
      event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      demux_(container.multiplexed),
      pinged_(std::chrono::steady_clock::now()) {
  ::fcntl(stream_.get(), F_SETFL, ::fcntl(stream_.get(), F_GETFL) | O_NONBLOCK);
  take(container.early);
}

void Link::wake() const {
  const std::uint64_t one = 1;
  // A full counter is as good as one more.
  if (::write(event_.get(), &one, sizeof one) < 0) return;
}

void Link::clear_event() const {
  std::uint64_t count = 0;
  if (::read(event_.get(), &count, sizeof count) < 0) return;
}

void Link::send(frames::Type type, std::uint32_t channel, std::string_view payload, std::uint8_t flags) {
  if (!broken()) frames::append(queue_, type, channel, payload, flags);
}

void Link::send_message(frames::Type type, std::uint32_t channel, std::string_view message) {
  if (!broken()) frames::append_message(queue_, type, channel, message);
}

void Link::credit(std::uint32_t channel, std::size_t bytes) {
  if (bytes == 0) return;
  send(frames::Type::credit, channel, frames::Writer().u32(static_cast<std::uint32_t>(bytes)).take());
}

void Link::keep_lease() {
  const auto now = std::chrono::steady_clock::now();
  if (now < pinged_ + between_pings) return;
  pinged_ = now;
  // A queue that does not move means that nobody reads; a ping more would not help.
  if (room()) send(frames::Type::ping, 0);
}

void Link::write_some() {
  if (deaf_) {
    queue_.clear();
    sent_ = 0;
  }
  while (pending() && !broken()) {
    const auto put = ::send(stream_.get(), queue_.data() + sent_, queue_.size() - sent_, MSG_NOSIGNAL);
    if (put < 0) {
      if (errno == EAGAIN) break;
      if (errno == EINTR) continue;
      // What the sandbox had said before it ended is still to be read; its end will be seen there.
      deaf_ = true;
      queue_.clear();
      sent_ = 0;
      return;
    }
    sent_ += static_cast<std::size_t>(put);
  }
  if (!pending()) {
    queue_.clear();
    sent_ = 0;
  } else if (sent_ > 1024 * 1024) {
    queue_.erase(0, sent_);
    sent_ = 0;
  }
}

void Link::read_some() {
  std::array<char, 64 * 1024> buffer;
  for (int round = 0; round < 4 && !broken(); ++round) {
    const auto got = ::recv(stream_.get(), buffer.data(), buffer.size(), 0);
    if (got > 0) {
      take({buffer.data(), static_cast<std::size_t>(got)});
    } else if (got == 0) {
      ended_ = true;
      return;
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      fail(std::string("the stream to the sandbox failed: ") + std::strerror(errno));
    }
  }
}

void Link::take(std::string_view bytes) {
  const auto out = [this](std::string_view part) { decoder_.feed(part); };
  const auto err = [this](std::string_view part) {
    if (complaints_ >= most_complaints) return;
    complaints_ += part.size();
    log::debug("the agent says: " + text::one_line(part.substr(0, 500)));
  };
  if (!demux_.feed(bytes, out, err)) fail("the engine's stream is not in its documented format");
}

bool Link::next(frames::Frame& frame) {
  if (broken()) return false;
  switch (decoder_.next(frame)) {
    case frames::Decoder::Next::frame:
      return true;
    case frames::Decoder::Next::broken:
      fail("the agent in the sandbox broke the protocol");
      return false;
    case frames::Decoder::Next::need_more:
      if (ended_) fail("its stream closed unexpectedly");
      return false;
  }
  return false;
}

void Link::fail(std::string why) {
  if (!why_.empty()) return;
  why_ = std::move(why);
  queue_.clear();
  sent_ = 0;
}

void Link::close() {
  fail("the sandbox was closed");
  stream_.reset();
}

}  // namespace codebox::sandbox
