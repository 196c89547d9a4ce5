#pragma once
#include <stop_token>
#include <string>

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "base/result.hpp"
#include "egress/address.hpp"

/// Connections on the way out. Each function blocks until its deadline at most and ends soon after `cancel`;
/// any thread.
namespace codebox::egress {

/// Connects to exactly this address by `deadline`; the descriptor blocks and closes on exec. The message of a
/// failure is only why ("Connection refused"), to be put in a sentence.
Result<Fd> dial(const Address& address, Time deadline, const std::stop_token& cancel);

/// Asks the proxy on `socket` for a tunnel to `authority` ("host:443"); on success the next byte is the
/// tunnel's.
Result<void> ask_proxy(int socket, const std::string& authority, const std::string& credentials,
                       Time deadline, const std::stop_token& cancel);

}  // namespace codebox::egress
