#pragma once
#include <cstddef>
#include <functional>

#include "http/connection.hpp"
#include "http/flight.hpp"
#include "http/server.hpp"

namespace codebox::http {

/// What is to be done with a connection once its request is over.
enum class After {
  keep,   ///< the framing is clean: the next request may come
  drain,  ///< all is said; what the client still sends is read away so that it sees the answer
  close,  ///< the client is lost
};

/// Reads, handles and answers the request whose head (of `head` bytes, npos: too long) lies in the
/// connection. In the calling pool thread; never throws. `begin` is told when the first beat is due.
After exchange(Connection& connection, std::size_t head, Flight& flight, Handler& handler,
               const Options& options, std::function<void(Time)> begin);

}  // namespace codebox::http
