#pragma once
#include <memory>
#include <string>

#include "base/result.hpp"
#include "http/stream.hpp"

namespace codebox::http {

/// The server's certificate and key, from which each TLS connection is made. Owned by the server; any thread.
class Tls {
 public:
  virtual ~Tls() = default;
  /// The handshake happens by itself inside the first reads, which do not block either.
  virtual std::unique_ptr<Stream> stream(Fd fd) = 0;
};

/// Reads a PEM chain and its key; TLS 1.2 and later.
Result<std::unique_ptr<Tls>> load_tls(const std::string& certificate, const std::string& key);

}  // namespace codebox::http
