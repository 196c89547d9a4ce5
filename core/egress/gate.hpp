#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/fd.hpp"
#include "base/result.hpp"

namespace codebox::egress {

/// Decides what a sandbox may reach, and dials it. One per call; any thread.
class Gate {
 public:
  virtual ~Gate() = default;
  /// Resolves `host` here, checks the resolved address against the rules and connects to just that address.
  /// A refusal's message is one line that the program may see. Blocks for at most some seconds.
  virtual Result<Fd> connect(const std::string& host, std::uint16_t port, std::stop_token cancel) = 0;
  /// Told of bytes that went through a connection, either way; false when that connection has to end.
  virtual bool spend(std::uint64_t bytes) {
    (void)bytes;
    return true;
  }
};

/// A service that no sandbox may reach through a tunnel.
struct Service {
  std::string what;  ///< for messages: "Open WebUI"
  std::string host;  ///< name or address
  std::uint16_t port = 0;
};

/// What sandboxes may reach, from the operator's settings. Plain value.
struct Rules {
  /// Hosts that may be reached: exact names, "*.example.com", addresses, each with an optional ":port". A
  /// listed host may be private. Empty means every public host on 80 and 443.
  std::vector<std::string> allowed_hosts;
  /// "http://user:password@proxy:3128": connections go through this proxy's CONNECT; empty for none.
  std::string proxy;
  /// Stay out of reach whatever allowed_hosts says.
  std::vector<Service> apart = {};
  /// The port that this server listens on, known once it does: out of reach on every address of this machine.
  std::shared_ptr<const std::atomic<std::uint16_t>> own_port = nullptr;
};

/// A gate of these rules; where they cannot be read, it refuses everything and says why.
std::unique_ptr<Gate> make_gate(const Rules& rules);

}  // namespace codebox::egress
