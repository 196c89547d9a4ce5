#pragma once
#include <poll.h>

#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.hpp"
#include "base/result.hpp"
#include "sandbox/link.hpp"

namespace codebox::egress {
class Gate;
}

namespace codebox::sandbox {

/// The server's side of the sandbox's connections: the gate dials each on a thread of its own, the thread
/// that runs the sandbox moves the bytes. Owned by a live sandbox after its link; one thread at a time.
class Tunnels {
 public:
  explicit Tunnels(Link& link) : link_(link) {}
  ~Tunnels();
  Tunnels(const Tunnels&) = delete;
  Tunnels& operator=(const Tunnels&) = delete;

  /// Ends every tunnel; when this returns, the gate before is no longer used.
  void set_gate(egress::Gate* gate);
  /// A frame on a tunnel's channel; false when it breaks the protocol.
  bool frame(const frames::Frame& frame);
  void want(std::vector<pollfd>& polls) const;
  void turn(const std::vector<pollfd>& polls);

 private:
  struct Tunnel {
    std::string host;
    std::uint16_t port = 0;
    enum { waiting, dialling, open } state = waiting;
    Fd socket;
    std::string out;  ///< from the sandbox, for the socket
    std::uint32_t credit = frames::window;
    bool agent_ended = false;   ///< the sandbox sends no more
    bool remote_ended = false;  ///< the socket gave its end
    bool shut = false;
    bool closing = false;  ///< the sandbox has forgotten it; what is left is still delivered
  };
  struct Dial {
    std::uint32_t channel = 0;
    std::optional<Result<Fd>> answer;
    std::atomic<bool> done = false;
    std::jthread thread;
  };

  bool open(const frames::Frame& frame);
  void refuse(std::uint32_t channel, const std::string& why);
  void start_dials();
  void end_dials();
  /// True when the tunnel is over.
  bool move(std::uint32_t channel, Tunnel& tunnel, short events);
  bool read(std::uint32_t channel, Tunnel& tunnel);
  bool write(std::uint32_t channel, Tunnel& tunnel);

  Link& link_;
  egress::Gate* gate_ = nullptr;
  std::map<std::uint32_t, Tunnel> tunnels_;
  std::list<std::unique_ptr<Dial>> dials_;
};

}  // namespace codebox::sandbox
