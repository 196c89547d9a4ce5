#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace codebox::agent {

/// What a program asks of the proxy with the head of a request. Pure; any thread.
struct ProxyRequest {
  bool connect = false;
  std::string host;
  std::uint16_t port = 0;
  std::string head;   ///< what to send on instead of the head; empty for CONNECT
  std::string error;  ///< why it cannot be served; the rest is empty then
};

/// Reads a complete head (up to and with its empty line).
ProxyRequest read_request(std::string_view head);

}  // namespace codebox::agent
