#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "base/fd.hpp"
#include "base/result.hpp"

namespace codebox::engine {

class Tls;

/// HTTP with a container engine on its socket, or over TCP, with TLS where there is one. Owned by a Daemon;
/// any thread, concurrently: every call has a connection of its own, because a session over an already
/// connected socket cannot reconnect.
class Api {
 public:
  struct Answer {
    int status = 0;
    std::string body;
    bool ok() const { return status >= 200 && status < 300; }
  };
  /// An attached container: the connection itself, and what arrived on it together with the answer's head.
  struct Hijacked {
    Fd stream;
    std::string early;
  };

  /// An address as endpoint::candidates() gives it.
  explicit Api(std::string address, std::shared_ptr<Tls> tls = nullptr)
      : address_(std::move(address)), tls_(std::move(tls)) {}

  const std::string& address() const { return address_; }
  /// Failures are about reaching the engine; what it answers, also a refusal, is an Answer.
  Result<Answer> call(std::string_view method, const std::string& target, std::string_view body = {},
                      std::string_view type = "application/json",
                      std::chrono::seconds patience = std::chrono::seconds(60)) const;
  /// Puts the first `size` bytes of a file there, as a tar.
  Result<Answer> upload(const std::string& target, int file, std::uint64_t size) const;
  /// Like call(), but gives the lines of a good answer as they arrive; only a refusal has a body. `login` is
  /// for a registry, as the engine takes it.
  Result<Answer> stream(std::string_view method, const std::string& target,
                        const std::function<void(std::string_view)>& line, const std::stop_token& stop,
                        const std::string& login = {}) const;
  /// Sends an upgrade and takes the connection over. A refusal comes as Reason::engine with the engine's
  /// words.
  Result<Hijacked> hijack(const std::string& target) const;

 private:
  std::string address_;
  std::shared_ptr<Tls> tls_;
};

/// The text of an engine's error answer, bounded and on one line.
std::string error_text(const Api::Answer& answer);
/// "The container engine refused to WHAT: its words", and which setting to change where we know it.
Failure refusal(std::string_view what, const Api::Answer& answer);

}  // namespace codebox::engine
