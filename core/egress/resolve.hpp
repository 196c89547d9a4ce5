#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "egress/address.hpp"

namespace codebox::egress {

/// Blocks as long as the system's resolver does; any thread. The addresses of `host`, ready to be dialled on
/// `port`; none where it is unknown. With AI_NUMERICHOST in `flags` only what is an address already, also as
/// 0x7f.1 or 2130706433.
std::vector<Address> resolve(const std::string& host, std::uint16_t port, int flags);

}  // namespace codebox::egress
