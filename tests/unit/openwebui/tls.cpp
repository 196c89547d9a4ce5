#include <Poco/Net/Context.h>
#include <Poco/Net/HTTPRequestHandler.h>
#include <Poco/Net/HTTPRequestHandlerFactory.h>
#include <Poco/Net/HTTPServer.h>
#include <Poco/Net/HTTPServerRequest.h>
#include <Poco/Net/HTTPServerResponse.h>
#include <Poco/Net/SecureServerSocket.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "fixture.hpp"

using namespace codebox;
using namespace codebox::openwebui;
using namespace codebox::openwebui::test;
namespace fs = std::filesystem;

namespace {

/// A folder with key.pem and a self-signed cert.pem for "localhost".
class Authority {
 public:
  Authority() {
    std::string pattern = (fs::temp_directory_path() / "codebox-tls-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    EVP_PKEY* const key = EVP_EC_gen("P-256");
    X509* const certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 86400);
    X509_set_pubkey(certificate, key);
    X509_NAME* const name = X509_get_subject_name(certificate);
    const std::string common = "localhost";
    X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_ASC, bytes(common), -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    add(certificate, NID_basic_constraints, "critical,CA:TRUE");
    add(certificate, NID_subject_alt_name, "DNS:localhost");
    X509_sign(certificate, key, EVP_sha256());
    write("key.pem",
          [&](std::FILE* out) { PEM_write_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr); });
    write("cert.pem", [&](std::FILE* out) { PEM_write_X509(out, certificate); });
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
  ~Authority() { fs::remove_all(folder_); }
  Authority(const Authority&) = delete;
  Authority& operator=(const Authority&) = delete;

  std::string key() const { return folder_ / "key.pem"; }
  std::string certificate() const { return folder_ / "cert.pem"; }

 private:
  static const unsigned char* bytes(const std::string& text) {
    return reinterpret_cast<const unsigned char*>(text.c_str());
  }

  static void add(X509* certificate, int kind, const char* value) {
    X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
  }

  template <class Writer>
  void write(const char* name, Writer writer) const {
    std::FILE* const out = std::fopen((folder_ / name).c_str(), "w");
    writer(out);
    std::fclose(out);
  }

  fs::path folder_;
};

class Handler : public Poco::Net::HTTPRequestHandler {
 public:
  void handleRequest(Poco::Net::HTTPServerRequest&, Poco::Net::HTTPServerResponse& response) override {
    const std::string body = about(id, "a.csv", 8);
    response.setContentLength64(static_cast<Poco::Int64>(body.size()));
    response.send() << body;
  }
};

class Handlers : public Poco::Net::HTTPRequestHandlerFactory {
 public:
  Poco::Net::HTTPRequestHandler* createRequestHandler(const Poco::Net::HTTPServerRequest&) override {
    return new Handler;
  }
};

/// Open WebUI behind that certificate.
class SecureServer {
 public:
  explicit SecureServer(const Authority& authority)
      : socket_(Poco::Net::SocketAddress("127.0.0.1", 0), 16,
                new Poco::Net::Context(Poco::Net::Context::SERVER_USE, authority.key(),
                                       authority.certificate(), "", Poco::Net::Context::VERIFY_NONE)),
        server_(new Handlers, socket_, new Poco::Net::HTTPServerParams) {
    server_.start();
  }
  ~SecureServer() { server_.stopAll(true); }
  SecureServer(const SecureServer&) = delete;
  SecureServer& operator=(const SecureServer&) = delete;

  std::string url(const std::string& host) const {
    return "https://" + host + ":" + std::to_string(socket_.address().port());
  }

 private:
  Poco::Net::SecureServerSocket socket_;
  Poco::Net::HTTPServer server_;
};

Result<RemoteFile> found(const std::string& url, const std::string& bundle, bool verify) {
  std::signal(SIGPIPE, SIG_IGN);
  Options options;
  options.base_url = url;
  options.ca_bundle = bundle;
  options.verify_tls = verify;
  auto files = make_files(options);
  if (!files) return files.failure();
  return (*files)->find(ann(), id, soon(), {});
}

}  // namespace

TEST_CASE("a private authority is trusted where the operator names it, and only for its own host") {
  const Authority authority;
  const SecureServer server(authority);
  const auto trusted = found(server.url("localhost"), authority.certificate(), true);
  INFO((trusted ? "" : trusted.failure().message));
  CHECK(trusted);
  CHECK(found(server.url("localhost"), "", false));
  for (const auto& refused : {found(server.url("localhost"), "", true),
                              found(server.url("127.0.0.1"), authority.certificate(), true)}) {
    REQUIRE_FALSE(refused);
    CHECK(refused.failure().reason == Reason::offline);
    CHECK(refused.failure().message.find("OWUI_CA_BUNDLE") != std::string::npos);
  }
}

TEST_CASE("a bundle of authorities that cannot be read is named") {
  const auto refused = found("https://localhost", "/nonexistent/ca.pem", true);
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().reason == Reason::invalid);
  INFO(refused.failure().message);
  CHECK(refused.failure().message.find("/nonexistent/ca.pem") != std::string::npos);
}
