#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "unit/http/client.hpp"

using namespace codebox::http;
using namespace codebox::http::test;

namespace {

/// A key and its self-signed certificate as files, removed at the end.
class Identity {
 public:
  Identity() {
    REQUIRE(::mkdtemp(folder_.data()) != nullptr);
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* certificate = X509_new();
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    X509_NAME* name = X509_get_subject_name(certificate);
    const std::string host = "localhost";
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(host.c_str()),
                               -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    REQUIRE(X509_sign(certificate, key, EVP_sha256()) > 0);
    std::FILE* out = std::fopen(this->certificate().c_str(), "w");
    PEM_write_X509(out, certificate);
    std::fclose(out);
    out = std::fopen(this->key().c_str(), "w");
    PEM_write_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(out);
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
  ~Identity() { std::filesystem::remove_all(folder_); }
  Identity(const Identity&) = delete;
  Identity& operator=(const Identity&) = delete;

  std::string certificate() const { return folder_ + "/cert.pem"; }
  std::string key() const { return folder_ + "/key.pem"; }

 private:
  std::string folder_ = (std::filesystem::temp_directory_path() / "http_tls_XXXXXX").string();
};

/// TLS over a client's socket, which blocks.
class TlsClient {
 public:
  explicit TlsClient(std::uint16_t port)
      : client_(port),
        context_(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free),
        ssl_(SSL_new(context_.get()), &SSL_free) {
    const timeval timeout{30, 0};
    ::setsockopt(client_.fd(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    SSL_set_fd(ssl_.get(), client_.fd());
    REQUIRE(SSL_connect(ssl_.get()) == 1);
  }

  void send(std::string_view bytes) {
    REQUIRE(SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())) ==
            static_cast<int>(bytes.size()));
  }

  /// Reads on until `text` has come.
  bool sees(std::string_view text) {
    std::array<char, 4096> buffer;
    while (in_.find(text) == std::string::npos) {
      const int got = SSL_read(ssl_.get(), buffer.data(), static_cast<int>(buffer.size()));
      if (got <= 0) return false;
      in_.append(buffer.data(), static_cast<std::size_t>(got));
    }
    in_.erase(0, in_.find(text) + text.size());
    return true;
  }
  void close() { client_.close(); }

 private:
  Client client_;
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  std::string in_;
};

Options with(const Identity& identity) {
  Options options = local();
  options.tls_cert = identity.certificate();
  options.tls_key = identity.key();
  options.threads = 2;
  options.beat_after = options.beat_every = std::chrono::milliseconds(20);
  return options;
}

}  // namespace

TEST_CASE("TLS clients keep their connection, pipeline and send large bodies") {
  const Identity identity;
  Site site;
  const auto server = start(with(identity), site);
  Client silent(server->port());  // never begins its handshake
  Client stopped(server->port());
  stopped.send("\x16\x03\x01");
  TlsClient client(server->port());
  client.send(get("/one"));
  CHECK(client.sees("GET /one "));
  client.send(get("/two") + get("/three"));
  CHECK(client.sees("GET /two "));
  CHECK(client.sees("GET /three "));
  client.send(post("/large", std::string(1U << 20, 'x')));
  CHECK(client.sees("POST /large " + std::string(1U << 20, 'x')));
}

TEST_CASE("a plain request to a TLS port is closed and others go on") {
  const Identity identity;
  Site site;
  const auto server = start(with(identity), site);
  Client plain(server->port());
  plain.send(get("/"));
  CHECK(plain.read().status == -1);
  TlsClient client(server->port());
  client.send(get("/"));
  CHECK(client.sees("GET / "));
}

TEST_CASE("beats and the leaving client work with TLS") {
  const Identity identity;
  Site site;
  Gate noticed;
  Gate never;
  site.on_handle = [&](const Request& request, Heartbeat& heartbeat) {
    heartbeat.may_begin("application/json", " ");
    if (never.stopped(request.gone)) noticed.open();
    return Response{};
  };
  const auto server = start(with(identity), site);
  TlsClient client(server->port());
  client.send(get("/"));
  CHECK(client.sees("1\r\n \r\n1\r\n \r\n"));
  client.close();
  CHECK(noticed.wait());
}

TEST_CASE("a certificate that cannot be used is named") {
  const Identity identity;
  const Identity other;
  Site site;
  Options options = with(identity);
  options.tls_key = "";
  CHECK(serve(options, site).failure().message.find("TLS_KEY") != std::string::npos);
  options.tls_key = other.key();
  CHECK(serve(options, site).failure().message.find(other.key()) != std::string::npos);
  options.tls_cert = identity.certificate() + ".no";
  CHECK(serve(options, site).failure().message.find("cert.pem.no") != std::string::npos);
}
