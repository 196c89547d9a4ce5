#pragma once
#include <mutex>

#include "egress/gate.hpp"

namespace codebox::egress {

/// What one call may do with the network. Time needs no bound of its own: the tunnel ends with the call.
struct Allowance {
  std::uint64_t traffic = 2ULL << 30;  ///< bytes, both directions together (SANDBOX_MAX_TRAFFIC)
  std::size_t connections = 256;       ///< tries, also those that are refused (SANDBOX_MAX_CONNECTIONS)
};

/// What a call did.
struct Tally {
  std::size_t refused = 0;  ///< connections that did not come about, or were cut off by a bound
  std::string last;         ///< why the last one did not
};

/// A gate that counts and bounds what one call does with it. Owned by the call; any thread.
class Meter : public Gate {
 public:
  Meter(std::unique_ptr<Gate> gate, const Allowance& allowance)
      : gate_(std::move(gate)), allowance_(allowance) {}

  Result<Fd> connect(const std::string& host, std::uint16_t port, std::stop_token cancel) override;
  bool spend(std::uint64_t bytes) override;
  Tally tally() const;

 private:
  Failure refuse(Failure failure);
  Failure used_up() const;

  const std::unique_ptr<Gate> gate_;
  const Allowance allowance_;
  mutable std::mutex mutex_;  ///< guards what follows
  std::size_t tried_ = 0;
  std::uint64_t spent_ = 0;
  Tally tally_;
};

}  // namespace codebox::egress
