#include "http/epoll.hpp"

#include <sys/eventfd.h>

#include <cerrno>

namespace codebox::http {

Result<Epoll> Epoll::make() {
  Fd epoll(::epoll_create1(EPOLL_CLOEXEC));
  Fd waker(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!epoll || !waker) {
    return Failure{Reason::internal,
                   "No descriptor is left to watch sockets with; raise the limit on open files."};
  }
  Epoll made(std::move(epoll), std::move(waker));
  made.add(made.waker_.get(), EPOLLIN, 0);
  return made;
}

bool Epoll::add(int fd, std::uint32_t events, std::uint64_t id) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

void Epoll::change(int fd, std::uint32_t events, std::uint64_t id) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
}

void Epoll::remove(int fd) {
  epoll_event event{};
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, &event);
}

const std::vector<Epoll::Ready>& Epoll::wait(std::chrono::milliseconds timeout) {
  std::array<epoll_event, 128> events;
  ready_.clear();
  const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                                 static_cast<int>(timeout.count()));
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    if (event.data.u64 != 0) {
      ready_.push_back({event.data.u64, event.events});
      continue;
    }
    std::uint64_t wakes = 0;
    [[maybe_unused]] const ssize_t got = ::read(waker_.get(), &wakes, sizeof wakes);
  }
  return ready_;
}

void Epoll::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t put = ::write(waker_.get(), &one, sizeof one);
}

}  // namespace codebox::http
