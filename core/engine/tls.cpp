#include "engine/tls.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>

#include "base/text.hpp"
#include "engine/relay.hpp"

namespace codebox::engine {
namespace {

/// Why OpenSSL said no, and an empty queue of errors for the next.
std::string reason(const SSL* session = nullptr) {
  if (session != nullptr)
    if (const long verdict = SSL_get_verify_result(session); verdict != X509_V_OK) {
      ERR_clear_error();
      return X509_verify_cert_error_string(verdict);
    }
  std::array<char, 256> words{};
  const auto code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "the connection was cut";
  ERR_error_string_n(code, words.data(), words.size());
  const char* const plain = ERR_reason_error_string(code);
  return plain != nullptr ? plain : words.data();
}

Failure unusable(const char* setting, const std::string& file) {
  const std::string why = ::access(file.c_str(), R_OK) == 0 ? "holds nothing that fits" : "cannot be read";
  ERR_clear_error();
  return {Reason::invalid,
          std::string(setting) + " names " + text::quoted(file) + ", which " + why + "; give a PEM file."};
}

bool is_address(const std::string& host) {
  std::array<unsigned char, 16> bytes{};
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

}  // namespace

Tls::~Tls() {
  std::list<Relay> relays;
  {
    const std::lock_guard lock(mutex_);
    relays.swap(relays_);
  }
  for (auto& relay : relays) relay.thread.request_stop();
}

Result<SSL_CTX*> Tls::context() {
  const std::lock_guard lock(mutex_);
  if (context_) return context_.get();
  const std::shared_ptr<SSL_CTX> made(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  if (!made) return Failure{Reason::internal, "TLS cannot be used: " + reason() + "."};
  SSL_CTX_set_min_proto_version(made.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(made.get(), SSL_VERIFY_PEER, nullptr);
  if (files_.certificate.empty() != files_.key.empty())
    return Failure{Reason::invalid,
                   "CONTAINER_TLS_CERT and CONTAINER_TLS_KEY belong together; set both or neither."};
  if (files_.ca.empty())
    SSL_CTX_set_default_verify_paths(made.get());
  else if (SSL_CTX_load_verify_locations(made.get(), files_.ca.c_str(), nullptr) != 1)
    return unusable("CONTAINER_TLS_CA", files_.ca);
  if (!files_.certificate.empty()) {
    if (SSL_CTX_use_certificate_chain_file(made.get(), files_.certificate.c_str()) != 1)
      return unusable("CONTAINER_TLS_CERT", files_.certificate);
    if (SSL_CTX_use_PrivateKey_file(made.get(), files_.key.c_str(), SSL_FILETYPE_PEM) != 1)
      return unusable("CONTAINER_TLS_KEY", files_.key);
  }
  context_ = made;
  return context_.get();
}

Result<Fd> Tls::wrap(Fd plain, const std::string& host) {
  const auto made = context();
  if (!made) return made.failure();
  std::unique_ptr<SSL, void (*)(SSL*)> session(SSL_new(*made), SSL_free);
  if (!session) return Failure{Reason::internal, "TLS cannot be used: " + reason() + "."};
  if (is_address(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session.get()), host.c_str());
  } else {
    SSL_set1_host(session.get(), host.c_str());
    // The library's own macro casts in C's way.
    SSL_ctrl(session.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
             const_cast<char*>(host.c_str()));
  }
  SSL_set_mode(session.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  const timeval patience{10, 0};
  for (const int way : {SO_RCVTIMEO, SO_SNDTIMEO})
    ::setsockopt(plain.get(), SOL_SOCKET, way, &patience, sizeof patience);
  SSL_set_fd(session.get(), plain.get());
  if (SSL_connect(session.get()) != 1)
    return Failure{Reason::offline,
                   "The container engine on " + text::quoted(host) + " cannot be spoken to over TLS (" +
                       reason(session.get()) +
                       "); check CONTAINER_TLS_CA, CONTAINER_TLS_CERT and CONTAINER_TLS_KEY."};
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Failure{Reason::internal,
                   "No file descriptor is left for a connection with the container engine."};
  Fd ours(ends[0]);
  Fd theirs(ends[1]);
  const std::lock_guard lock(mutex_);
  relays_.remove_if([](const Relay& relay) { return *relay.ended; });
  const auto ended = std::make_shared<bool>(false);
  relays_.push_back({ended, std::jthread([this, ended, session = std::move(session), plain = std::move(plain),
                                          ours = std::move(ours)](const std::stop_token& stop) mutable {
                       relay(session.get(), plain.get(), ours.get(), stop);
                       session.reset();
                       plain.reset();
                       ours.reset();
                       const std::lock_guard done(mutex_);
                       *ended = true;
                     })});
  return theirs;
}

}  // namespace codebox::engine
