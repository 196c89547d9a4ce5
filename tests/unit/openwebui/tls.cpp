#include <Poco/Net/Context.h>
#include <Poco/Net/HTTPRequestHandler.h>
#include <Poco/Net/HTTPRequestHandlerFactory.h>
#include <Poco/Net/HTTPServer.h>
#include <Poco/Net/HTTPServerRequest.h>
#include <Poco/Net/HTTPServerResponse.h>
#include <Poco/Net/SecureServerSocket.h>

#include "fixture.hpp"
#include "support/certificate.hpp"

using namespace codebox;
using namespace codebox::openwebui;
using namespace codebox::openwebui::test;
using support::Authority;

namespace {

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
