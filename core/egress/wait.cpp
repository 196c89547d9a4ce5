#include "egress/wait.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace codebox::egress {

Waiter::Waiter(std::stop_token cancel)
    : wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      on_cancel_(std::move(cancel), [this] { ::eventfd_write(wake_.get(), 1); }) {}

Result<void> Waiter::until(int fd, short events, Time deadline) const {
  while (true) {
    std::array<pollfd, 2> waiting{pollfd{fd, events, 0}, pollfd{wake_.get(), POLLIN, 0}};
    const auto wait = std::min<std::chrono::milliseconds>(left(deadline), std::chrono::seconds(60));
    const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(wait.count()));
    if (ready < 0 && errno != EINTR) return Failure{Reason::internal, "waiting for the network failed"};
    if (waiting[1].revents != 0) return Failure{Reason::cancelled, "the call was cancelled"};
    if (ready > 0 && waiting[0].revents != 0) return {};
    if (left(deadline).count() == 0) return Failure{Reason::timeout, "no answer in time"};
  }
}

}  // namespace codebox::egress
