#include "egress/meter.hpp"

#include "base/text.hpp"

namespace codebox::egress {

Result<Fd> Meter::connect(const std::string& host, std::uint16_t port, std::stop_token cancel) {
  {
    const std::lock_guard lock(mutex_);
    if (spent_ > allowance_.traffic) return refuse(used_up());
    if (tried_ >= allowance_.connections) {
      return refuse({Reason::too_large, "The call has made its " + std::to_string(allowance_.connections) +
                                            " connections (SANDBOX_MAX_CONNECTIONS): reuse open ones."});
    }
    ++tried_;
  }
  auto socket = gate_->connect(host, port, std::move(cancel));
  if (socket || socket.failure().reason == Reason::cancelled) return socket;
  const std::lock_guard lock(mutex_);
  return refuse(socket.failure());
}

bool Meter::spend(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const bool had = spent_ <= allowance_.traffic;
  spent_ += bytes;
  if (spent_ <= allowance_.traffic) return true;
  if (had) refuse(used_up());
  return false;
}

Tally Meter::tally() const {
  const std::lock_guard lock(mutex_);
  return tally_;
}

Failure Meter::refuse(Failure failure) {
  ++tally_.refused;
  tally_.last = text::one_line(failure.message);
  return failure;
}

Failure Meter::used_up() const {
  return {Reason::too_large, "The call has used up its " + text::size(allowance_.traffic) +
                                 " of network traffic (SANDBOX_MAX_TRAFFIC): transfer less."};
}

}  // namespace codebox::egress
