#pragma once
#include <cstdint>
#include <stop_token>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace Poco::Net {
class StreamSocket;
}

namespace codebox::openwebui {

/// Connects `socket` to `host`, trying its addresses in turn. Blocks no longer than `deadline` (beyond what
/// the resolver takes) and ends soon after `cancel`. The message of a failure is only why, to be put in a
/// sentence. Any thread.
Result<void> open_connection(const std::string& host, std::uint16_t port, Time deadline,
                             const std::stop_token& cancel, Poco::Net::StreamSocket& socket);

}  // namespace codebox::openwebui
