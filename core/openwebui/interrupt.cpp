#include "openwebui/interrupt.hpp"

#include <fcntl.h>
#include <sys/socket.h>

namespace codebox::openwebui {

Interrupt::Interrupt(int socket, Time deadline, std::stop_token cancel)
    : socket_(::fcntl(socket, F_DUPFD_CLOEXEC, 0)),
      watcher_([this, deadline](std::stop_token finished) { watch(std::move(finished), deadline); }),
      on_cancel_(std::move(cancel), [this] {
        cancelled_ = true;
        ::shutdown(socket_.get(), SHUT_RDWR);
      }) {}

Interrupt::~Interrupt() = default;

void Interrupt::watch(std::stop_token finished, Time deadline) {
  std::unique_lock lock(mutex_);
  wake_.wait_until(lock, finished, deadline, [] { return false; });
  if (finished.stop_requested()) return;
  timed_out_ = true;
  ::shutdown(socket_.get(), SHUT_RDWR);
}

}  // namespace codebox::openwebui
