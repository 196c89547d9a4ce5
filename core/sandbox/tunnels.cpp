#include "sandbox/tunnels.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/text.hpp"
#include "egress/gate.hpp"

namespace codebox::sandbox {
namespace {

using frames::Type;

constexpr std::size_t most_dials = 16;

}  // namespace

Tunnels::~Tunnels() {
  for (auto& dial : dials_) dial->thread.request_stop();
}

void Tunnels::set_gate(egress::Gate* gate) {
  for (const auto& [channel, tunnel] : tunnels_) {
    if (tunnel.state == Tunnel::open) {
      link_.send(Type::tunnel_close, channel);
    } else {
      refuse(channel, "the network was closed");
    }
  }
  tunnels_.clear();
  for (auto& dial : dials_) dial->thread.request_stop();
  dials_.clear();
  gate_ = gate;
}

void Tunnels::refuse(std::uint32_t channel, const std::string& why) {
  link_.send(Type::tunnel_refused, channel, text::prefix(text::one_line(why), 400));
}

bool Tunnels::open(const frames::Frame& frame) {
  frames::TunnelOpen order;
  if (!frames::decode(frame.payload, order) || order.host.empty() || order.host.size() > 253 ||
      order.port == 0 || order.port > 0xFFFF || tunnels_.contains(frame.channel) ||
      tunnels_.size() >= 2 * frames::max_tunnels) {
    return false;
  }
  if (gate_ == nullptr) {
    refuse(frame.channel, "the network is closed while programs run");
    return true;
  }
  auto& tunnel = tunnels_[frame.channel];
  tunnel.host = order.host;
  tunnel.port = static_cast<std::uint16_t>(order.port);
  return true;
}

bool Tunnels::frame(const frames::Frame& frame) {
  if (frame.type == Type::tunnel_open) return open(frame);
  const auto at = tunnels_.find(frame.channel);
  const bool known = at != tunnels_.end() && at->second.state == Tunnel::open;
  switch (frame.type) {
    case Type::tunnel_data:
      if (!known) return true;
      if (at->second.agent_ended || at->second.out.size() + frame.payload.size() > frames::window)
        return false;
      at->second.out.append(frame.payload);
      return true;
    case Type::tunnel_end:
      if (known) at->second.agent_ended = true;
      return true;
    case Type::tunnel_close:
      if (known && !at->second.out.empty()) {
        at->second.closing = true;
      } else if (at != tunnels_.end()) {
        tunnels_.erase(at);
      }
      return true;
    case Type::credit: {
      frames::Reader reader(frame.payload);
      const auto more = reader.u32();
      if (!reader.finished()) return false;
      if (known) at->second.credit += std::min(more, frames::window - at->second.credit);
      return true;
    }
    default:
      return false;
  }
}

void Tunnels::start_dials() {
  for (auto& [channel, tunnel] : tunnels_) {
    if (tunnel.state != Tunnel::waiting) continue;
    if (dials_.size() >= most_dials) return;
    tunnel.state = Tunnel::dialling;
    auto dial = std::make_unique<Dial>();
    dial->channel = channel;
    dial->thread = std::jthread([this, gate = gate_, host = tunnel.host, port = tunnel.port,
                                 own = dial.get()](const std::stop_token& stop) {
      own->answer.emplace(gate->connect(host, port, stop));
      own->done = true;
      link_.wake();
    });
    dials_.push_back(std::move(dial));
  }
}

void Tunnels::end_dials() {
  for (auto at = dials_.begin(); at != dials_.end();) {
    auto& dial = **at;
    if (!dial.done) {
      ++at;
      continue;
    }
    dial.thread.join();
    const auto found = tunnels_.find(dial.channel);
    if (found != tunnels_.end() && found->second.state == Tunnel::dialling) {
      auto& answer = *dial.answer;
      if (answer.ok()) {
        found->second.socket = std::move(answer.value());
        const int fd = found->second.socket.get();
        ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
        found->second.state = Tunnel::open;
        link_.send(Type::tunnel_opened, dial.channel);
      } else {
        refuse(dial.channel, answer.failure().message);
        tunnels_.erase(found);
      }
    }
    at = dials_.erase(at);
  }
}

void Tunnels::want(std::vector<pollfd>& polls) const {
  for (const auto& [channel, tunnel] : tunnels_) {
    if (tunnel.state != Tunnel::open) continue;
    short events = 0;
    if (!tunnel.remote_ended && !tunnel.closing && tunnel.credit > 0 && link_.room()) events |= POLLIN;
    if (!tunnel.out.empty()) events |= POLLOUT;
    if (events != 0) polls.push_back({tunnel.socket.get(), events, 0});
  }
}

void Tunnels::turn(const std::vector<pollfd>& polls) {
  end_dials();
  start_dials();
  for (auto at = tunnels_.begin(); at != tunnels_.end();) {
    bool over = false;
    if (at->second.state == Tunnel::open) {
      const int fd = at->second.socket.get();
      const auto seen =
          std::find_if(polls.begin(), polls.end(), [fd](const pollfd& entry) { return entry.fd == fd; });
      over = move(at->first, at->second, seen == polls.end() ? short{0} : seen->revents);
    }
    at = over ? tunnels_.erase(at) : std::next(at);
  }
}

bool Tunnels::read(std::uint32_t channel, Tunnel& tunnel) {
  std::array<char, 32 * 1024> buffer;
  const auto most = std::min<std::size_t>(buffer.size(), tunnel.credit);
  const auto got = ::recv(tunnel.socket.get(), buffer.data(), most, 0);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0) {
    tunnel.remote_ended = true;
    link_.send(Type::tunnel_end, channel);
    return true;
  }
  if (!gate_->spend(static_cast<std::uint64_t>(got))) return false;
  tunnel.credit -= static_cast<std::uint32_t>(got);
  link_.send(Type::tunnel_data, channel, {buffer.data(), static_cast<std::size_t>(got)});
  return true;
}

bool Tunnels::write(std::uint32_t channel, Tunnel& tunnel) {
  while (!tunnel.out.empty()) {
    const auto put = ::send(tunnel.socket.get(), tunnel.out.data(), tunnel.out.size(), MSG_NOSIGNAL);
    if (put < 0) return errno == EAGAIN || errno == EINTR;
    if (!gate_->spend(static_cast<std::uint64_t>(put))) return false;
    link_.credit(channel, static_cast<std::size_t>(put));
    tunnel.out.erase(0, static_cast<std::size_t>(put));
  }
  return true;
}

bool Tunnels::move(std::uint32_t channel, Tunnel& tunnel, short events) {
  bool alive = write(channel, tunnel);
  if (alive && !tunnel.remote_ended && !tunnel.closing && tunnel.credit > 0 && link_.room() &&
      (events & (POLLIN | POLLHUP | POLLERR)) != 0) {
    alive = read(channel, tunnel);
  }
  if (!alive) {
    link_.send(Type::tunnel_close, channel);
    return true;
  }
  if (!tunnel.out.empty()) return false;
  if (tunnel.closing) return true;
  if (tunnel.agent_ended && !tunnel.shut) {
    tunnel.shut = true;
    ::shutdown(tunnel.socket.get(), SHUT_WR);
  }
  return tunnel.agent_ended && tunnel.remote_ended;
}

}  // namespace codebox::sandbox
