#pragma once
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/fd.hpp"
#include "base/result.hpp"

using SSL_CTX = struct ssl_ctx_st;

namespace codebox::engine {

/// The PEM files of CONTAINER_TLS_CA, CONTAINER_TLS_CERT and CONTAINER_TLS_KEY; each may be empty.
struct TlsFiles {
  std::string ca;
  std::string certificate;
  std::string key;
  bool any() const { return !ca.empty() || !certificate.empty() || !key.empty(); }
};

/// TLS with a container engine. A wrapped connection is an ordinary descriptor: a thread carries its bytes to
/// and from the encrypted one, so that whoever holds it, also the server, needs to know nothing of TLS. Owned
/// by the Finder, which outlives every connection; any thread.
class Tls {
 public:
  explicit Tls(TlsFiles files) : files_(std::move(files)) {}
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;
  ~Tls();

  /// Shakes hands over `plain` and proves that the other side is `host`.
  Result<Fd> wrap(Fd plain, const std::string& host);

 private:
  struct Relay {
    std::shared_ptr<bool> ended;  ///< guarded by mutex_
    std::jthread thread;
  };
  Result<SSL_CTX*> context();

  const TlsFiles files_;
  std::mutex mutex_;  ///< guards what follows
  std::shared_ptr<SSL_CTX> context_;
  std::list<Relay> relays_;
};

}  // namespace codebox::engine
