#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "agent/polls.hpp"
#include "agent/wire.hpp"
#include "base/clock.hpp"
#include "base/fd.hpp"

namespace codebox::agent {

/// The proxy at 127.0.0.1:3128 that programs in the sandbox see: CONNECT, and plain requests with an absolute
/// URL. Every connection becomes a tunnel that the server opens or refuses; the agent itself reaches nothing.
/// Owned by the loop; one thread.
class Proxy {
 public:
  Proxy();

  void want(Polls& polls, const Wire& wire) const;
  void turn(const Polls& polls, Wire& wire);
  /// A frame of a tunnel's channel.
  void frame(const frames::Frame& frame, Wire& wire);

 private:
  struct Connection {
    Fd socket;
    enum { reading_head, opening, open, refusing } state = reading_head;
    Time since;
    std::string in;        ///< from the program, not yet sent on
    std::string out;       ///< for the program
    bool connect = false;  ///< CONNECT, which gets an answer of its own
    std::uint32_t credit = frames::window;
    bool in_ended = false, in_end_sent = false, out_ended = false, out_shut = false;
  };

  void take_in();
  void head(std::uint32_t channel, Connection& connection, Wire& wire);
  void refuse(Connection& connection, int status, std::string_view why);
  /// True when the connection is over.
  bool move(std::uint32_t channel, Connection& connection, const Polls& polls, Wire& wire);
  bool read_in(Connection& connection);
  bool write_out(std::uint32_t channel, Connection& connection, Wire& wire);

  Fd listener_;
  std::map<std::uint32_t, Connection> connections_;
  std::uint32_t next_ = frames::tunnel_bit;
};

}  // namespace codebox::agent
