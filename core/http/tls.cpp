#include "http/tls.hpp"

#include <Poco/Exception.h>
#include <Poco/Net/Context.h>
#include <Poco/Net/NetSSL.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <climits>

#include "base/text.hpp"

namespace codebox::http {
namespace {

/// OpenSSL directly on the socket: Poco's SecureStreamSocket waits inside its reads, with a timeout for each
/// read alone.
class TlsStream final : public Stream {
 public:
  TlsStream(Fd fd, SSL_CTX* context) : Stream(std::move(fd)), ssl_(SSL_new(context), &SSL_free) {
    if (ssl_) {
      SSL_set_accept_state(ssl_.get());
      broken_ = SSL_set_fd(ssl_.get(), this->fd()) != 1;
    }
  }

  Moved read(std::span<char> into) override {
    if (broken_) return {};
    ERR_clear_error();
    return moved(SSL_read(ssl_.get(), into.data(), length(into.size())));
  }

  Moved write(std::string_view bytes) override {
    if (broken_) return {};
    ERR_clear_error();
    return moved(SSL_write(ssl_.get(), bytes.data(), length(bytes.size())));
  }

  void finish() override {
    if (!broken_ && SSL_is_init_finished(ssl_.get())) {
      ERR_clear_error();
      SSL_shutdown(ssl_.get());
    }
    ::shutdown(fd(), SHUT_WR);
  }

 private:
  static int length(std::size_t bytes) { return static_cast<int>(std::min<std::size_t>(bytes, INT_MAX)); }

  Moved moved(int result) {
    if (result > 0) return {Io::done, static_cast<std::size_t>(result)};
    const int error = SSL_get_error(ssl_.get(), result);
    if (error == SSL_ERROR_WANT_READ) return {Io::wait_read, 0};
    if (error == SSL_ERROR_WANT_WRITE) return {Io::wait_write, 0};
    broken_ = true;
    return {};
  }

  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  bool broken_ = true;
};

class PocoTls final : public Tls {
 public:
  explicit PocoTls(const Poco::Net::Context::Params& params)
      : context_(new Poco::Net::Context(Poco::Net::Context::TLS_SERVER_USE, params)) {
    context_->requireMinimumProtocol(Poco::Net::Context::PROTO_TLSV1_2);
    SSL_CTX* raw = context_->sslContext();
    SSL_CTX_set_mode(raw, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_options(raw, SSL_OP_NO_RENEGOTIATION);
    if (SSL_CTX_check_private_key(raw) != 1)
      throw Poco::InvalidArgumentException("the key does not fit the certificate");
  }

  std::unique_ptr<Stream> stream(Fd fd) override {
    return std::make_unique<TlsStream>(std::move(fd), context_->sslContext());
  }

 private:
  Poco::Net::Context::Ptr context_;
};

}  // namespace

Result<std::unique_ptr<Tls>> load_tls(const std::string& certificate, const std::string& key) {
  if (certificate.empty() || key.empty()) {
    return Failure{Reason::invalid,
                   "TLS_CERT and TLS_KEY belong together; set both, or neither for plain HTTP."};
  }
  try {
    Poco::Net::initializeSSL();
    Poco::Net::Context::Params params;
    params.certificateFile = certificate;
    params.privateKeyFile = key;
    params.verificationMode = Poco::Net::Context::VERIFY_NONE;
    params.loadDefaultCAs = false;
    return std::unique_ptr<Tls>(std::make_unique<PocoTls>(params));
  } catch (const Poco::Exception& error) {
    return Failure{Reason::invalid, "The certificate " + text::quoted(certificate) + " and key " +
                                        text::quoted(key) + " cannot be used (" +
                                        text::one_line(error.displayText()) +
                                        "); give PEM files that belong together and can be read."};
  }
}

}  // namespace codebox::http
