#include "egress/gate.hpp"

#include <netdb.h>

#include <algorithm>

#include "base/text.hpp"
#include "egress/apart.hpp"
#include "egress/dial.hpp"
#include "egress/resolve.hpp"
#include "egress/rules.hpp"

namespace codebox::egress {
namespace {

using namespace std::chrono_literals;

constexpr auto one_attempt = 5s;
constexpr auto all_attempts = 10s;

Failure unreached(const std::string& place, const Failure& why) {
  return {why.reason, "The network of this sandbox does not reach " + place + ": " + why.message + "."};
}

Failure kept_apart(const std::string& host, const std::string& what) {
  return {Reason::invalid, "The network of this sandbox does not reach " + host + ": it is " + what +
                               ", which no setting opens to sandboxes."};
}

/// The one Gate. Holds nothing that changes.
class RuledGate : public Gate {
 public:
  RuledGate(Ruling ruling, const Rules& rules) : ruling_(std::move(ruling)), apart_(rules) {}

  Result<Fd> connect(const std::string& asked, std::uint16_t port, std::stop_token cancel) override {
    if (port == 0 || !is_host(asked)) {
      return Failure{Reason::invalid, text::quoted(asked) + " is not the name of a host: check the address."};
    }
    const std::string host = text::lower(asked);
    if (const auto admitted = ruling_.admits(host, port); !admitted) return admitted.failure();
    if (const auto what = apart_.named(host, port)) return kept_apart(host, *what);
    return ruling_.proxy() ? through_proxy(host, port, cancel) : directly(host, port, cancel);
  }

 private:
  Result<void> judge(const std::string& host, std::uint16_t port, const Address& address) const {
    if (const auto admitted = ruling_.admits(host, port, address); !admitted) return admitted;
    if (const auto what = apart_.at(address, port)) return kept_apart(host, *what);
    return {};
  }

  Result<Fd> directly(const std::string& host, std::uint16_t port, const std::stop_token& cancel) const {
    std::vector<Address> allowed;
    Failure refusal{Reason::offline,
                    "The network of this sandbox does not reach " + host + ": the name is unknown."};
    for (const Address& address : resolve(host, port, 0)) {
      const auto admitted = judge(host, port, address);
      if (admitted) {
        allowed.push_back(address);
      } else {
        refusal = admitted.failure();
      }
    }
    if (allowed.empty()) return refusal;
    return first_of(allowed, host + ":" + std::to_string(port), cancel);
  }

  // The proxy resolves the name, so what it stands for is the proxy's to judge; an address is judged here
  // too.
  Result<Fd> through_proxy(const std::string& host, std::uint16_t port, const std::stop_token& cancel) const {
    for (const Address& address : resolve(host, port, AI_NUMERICHOST)) {
      if (const auto admitted = judge(host, port, address); !admitted) return admitted.failure();
    }
    if (host == "localhost" || host.ends_with(".localhost")) {
      const auto admitted = judge(host, port, *Address::parse("127.0.0.1"));
      if (!admitted) return admitted.failure();
    }
    const Proxy& proxy = *ruling_.proxy();
    const auto addresses = resolve(proxy.host, proxy.port, 0);
    auto socket = first_of(addresses, "the egress proxy of this server", cancel);
    if (!socket) return socket;
    const bool v6 = host.find(':') != std::string::npos;
    const std::string authority = (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
    const Time deadline = std::chrono::steady_clock::now() + all_attempts;
    const auto opened = ask_proxy(socket->get(), authority, proxy.credentials, deadline, cancel);
    if (!opened) return unreached(authority + " through the egress proxy", opened.failure());
    return socket;
  }

  static Result<Fd> first_of(const std::vector<Address>& addresses, const std::string& place,
                             const std::stop_token& cancel) {
    Failure last{Reason::offline, "its name is unknown"};
    const Time end = std::chrono::steady_clock::now() + all_attempts;
    for (const Address& address : addresses) {
      auto socket = dial(address, std::min(end, std::chrono::steady_clock::now() + one_attempt), cancel);
      if (socket) return socket;
      last = socket.failure();
      if (last.reason == Reason::cancelled || left(end) == 0ms) break;
    }
    return unreached(place, last);
  }

  const Ruling ruling_;
  const Apart apart_;
};

/// Stands for rules that cannot be read: nothing passes, and everybody hears why.
class ShutGate : public Gate {
 public:
  explicit ShutGate(Failure why) : why_(std::move(why)) {}
  Result<Fd> connect(const std::string&, std::uint16_t, std::stop_token) override { return why_; }

 private:
  const Failure why_;
};

}  // namespace

std::unique_ptr<Gate> make_gate(const Rules& rules) {
  auto ruling = Ruling::read(rules);
  if (!ruling) return std::make_unique<ShutGate>(ruling.failure());
  return std::make_unique<RuledGate>(std::move(*ruling), rules);
}

}  // namespace codebox::egress
