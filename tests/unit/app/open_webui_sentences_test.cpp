#include <csignal>

#include "doctor.hpp"
#include "http/server.hpp"
#include "openwebui/options.hpp"
#include "openwebui/user_check.hpp"
#include "sentences.hpp"
#include "support/certificate.hpp"
#include "support/web_server.hpp"

using namespace codebox;
using namespace codebox::app;
using namespace codebox::app::test;
using support::Authority;
using support::WebConnection;
using support::WebRequest;
using support::WebServer;

namespace {

constexpr long day = 86400;

/// A server that says the same to everybody.
WebServer saying(int status, const std::string& body, const std::string& headers = "") {
  return WebServer(
      [=](const WebRequest&, const WebConnection& connection) { connection.reply(status, body, headers); });
}

Settings settings_at(const std::string& url) {
  std::signal(SIGPIPE, SIG_IGN);
  Settings settings;
  settings.owui_base_url = url;
  settings.auth.secret = "0123456789abcdef0123456789abcdef";
  return settings;
}

std::string doctor_says(const std::string& topic, const Settings& settings) {
  doctor::Report report;
  doctor::look_at_open_webui(report, settings, SystemClock());
  return line(report, topic).text;
}

/// What a caller is told whose token or key Open WebUI answers with this status.
std::string caller_is_told(int status, const std::string& body, const std::string& key = "") {
  const WebServer server = saying(status, body);
  openwebui::Options options;
  options.base_url = server.url();
  const SystemClock clock;
  const auto check = openwebui::UserCheck::make(options, clock);
  REQUIRE(check);
  return key.empty() ? sentence((*check)->check({"ann", "token", "", ""})) : sentence((*check)->owner(key));
}

struct NoRoutes : http::Handler {
  std::optional<http::Response> refuse(const http::Request&) override { return std::nullopt; }
  http::Response handle(http::Request&, http::Heartbeat&) override { return {}; }
};

std::string untrusted() {
  const Authority authority;
  http::Options options;
  options.host = "127.0.0.1";
  options.port = 0;
  options.threads = 2;
  options.tls_cert = authority.certificate();
  options.tls_key = authority.key();
  NoRoutes routes;
  const auto server = http::serve(options, routes);
  REQUIRE(server);
  Settings settings = settings_at("https://localhost:" + std::to_string((*server)->port()));
  std::string said = doctor_says("open-webui", settings);
  (*server)->stop(std::chrono::seconds(5));
  return said;
}

std::string certificate_says(const std::string& certificate, const std::string& key) {
  Settings settings;
  settings.http.tls_cert = certificate;
  settings.http.tls_key = key;
  doctor::Report report;
  doctor::look_at_certificate(report, settings, SystemClock());
  return line(report, "tls").text;
}

}  // namespace

TEST_CASE("each trouble with Open WebUI gets the sentence of the documentation") {
  const std::string version = R"({"version":"0.12.4"})";
  const WebServer redirect = saying(302, "", "Location: http://elsewhere.example/\r\n");
  const WebServer another = saying(200, "<html>");
  const WebServer late = saying(200, version, "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
  const WebServer alike([&](const WebRequest& request, const WebConnection& connection) {
    const bool asked = request.line.starts_with("GET /api/version ");
    connection.reply(asked ? 200 : 401, asked ? version : "no");
  });
  compare("Open WebUI",
          {
              {"it does not answer", doctor_says("open-webui", settings_at("http://127.0.0.1:1"))},
              {"it redirects", doctor_says("open-webui", settings_at(redirect.url()))},
              {"something else answers", doctor_says("open-webui", settings_at(another.url()))},
              {"its certificate is not trusted", untrusted()},
              {"its secret is another one", doctor_says("secret", settings_at(alike.url()))},
              {"its clock is wrong, or ours", doctor_says("clock", settings_at(late.url()))},
              {"a person was deactivated", caller_is_told(401, "no")},
              {"it is too old to be asked", caller_is_told(404, "no")},
              {"an API key that it refuses", caller_is_told(401, "no", "sk-0123")},
              {"an API key whose owner it does not say", caller_is_told(200, "[]", "sk-0123")},
          });
}

TEST_CASE("each trouble with the server's certificate gets the sentence of the documentation") {
  const Authority one;
  const Authority other;
  const Authority over(-3 * day, -day);
  const Authority ending(-day, 3 * day);
  const Authority early(day, 100 * day);
  compare("The server's certificate",
          {
              {"the files cannot be read", certificate_says("/nonexistent/cert.pem", one.key())},
              {"the key is another one's", certificate_says(one.certificate(), other.key())},
              {"it expired", certificate_says(over.certificate(), over.key())},
              {"it will expire within two weeks", certificate_says(ending.certificate(), ending.key())},
              {"it is not valid yet", certificate_says(early.certificate(), early.key())},
          });
}
