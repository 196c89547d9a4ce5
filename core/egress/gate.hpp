#pragma once
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
};

struct Rules {
  /// Hosts that may be reached: exact names, "*.example.com", addresses, each with an optional ":port". A listed host
  /// may be private. Empty means every public host on 80 and 443.
  std::vector<std::string> allowed_hosts;
  /// "http://user:password@proxy:3128": connections go through this proxy's CONNECT; empty for none.
  std::string proxy;
};

std::unique_ptr<Gate> make_gate(const Rules& rules);

}  // namespace codebox::egress
