#include "openwebui/connection.hpp"

#include <Poco/Error.h>
#include <Poco/Exception.h>
#include <Poco/Net/DNS.h>
#include <Poco/Net/SocketAddress.h>
#include <Poco/Net/StreamSocket.h>

#include <algorithm>

namespace codebox::openwebui {
namespace {

using Poco::Net::Socket;
using Poco::Net::SocketAddress;
using Poco::Net::StreamSocket;
using namespace std::chrono_literals;

constexpr auto longest_attempt = 10s;
constexpr auto slice = 100ms;

// Why there is no connection, or success.
Result<void> connect(StreamSocket& socket, const SocketAddress& address, Time deadline,
                     const std::stop_token& cancel) {
  socket.connectNB(address);
  const Time end = std::min(deadline, std::chrono::steady_clock::now() + longest_attempt);
  while (true) {
    if (cancel.stop_requested()) return Failure{Reason::cancelled, "the caller left"};
    const auto wait = std::min<std::chrono::milliseconds>(left(end), slice);
    if (socket.poll(Poco::Timespan(wait.count() * 1000), Socket::SELECT_WRITE | Socket::SELECT_ERROR)) break;
    if (left(end) == 0ms) return Failure{Reason::timeout, "it does not answer in time"};
  }
  const int error = socket.impl()->socketError();
  if (error != 0) return Failure{Reason::offline, Poco::Error::getMessage(error)};
  socket.setBlocking(true);
  return {};
}

}  // namespace

Result<void> open_connection(const std::string& host, std::uint16_t port, Time deadline,
                             const std::stop_token& cancel, StreamSocket& socket) {
  Failure last{Reason::offline, "its name has no address"};
  try {
    const auto entry = Poco::Net::DNS::resolve(host);
    for (const auto& address : entry.addresses()) {
      try {
        StreamSocket attempt;
        const auto connected = connect(attempt, SocketAddress(address, port), deadline, cancel);
        if (connected) {
          socket = attempt;
          return {};
        }
        last = connected.failure();
        if (last.reason == Reason::cancelled || left(deadline) == 0ms) return last;
      } catch (const Poco::Exception& error) {
        last = {Reason::offline, error.displayText()};
      }
    }
  } catch (const Poco::Exception&) {
    last = {Reason::offline, "its name cannot be resolved"};
  }
  return last;
}

}  // namespace codebox::openwebui
