#include <csignal>
#include <ctime>

#include "auth/bearer.hpp"
#include "doctor.hpp"
#include "support/web_server.hpp"

using namespace codebox;
using namespace codebox::app;
using namespace codebox::app::test;
using doctor::Report;
using doctor::Verdict;
using support::WebConnection;
using support::WebRequest;
using support::WebServer;

namespace {

const std::string secret = "the-secret-of-open-webui-0123456789";

std::string date(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[64];
  std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return text;
}

/// Answers as Open WebUI does: another word for a token of nobody than for one of another secret.
WebServer::Handler open_webui(std::chrono::seconds ahead = std::chrono::seconds(0)) {
  return [ahead](const WebRequest& request, const WebConnection& connection) {
    if (request.line.starts_with("GET /api/version ")) {
      const std::string head = "Date: " + date(std::chrono::system_clock::now() + ahead) + "\r\n";
      return connection.reply(200, R"({"version":"0.12.4"})", head);
    }
    auth::Options options;
    options.secret = secret;
    const SystemClock clock;
    const auto bearer = auth::make_bearer(options, clock);
    const auto at = request.head.find("Authorization: ") + 15;
    const bool fits = (*bearer)->user(request.head.substr(at, request.head.find("\r\n", at) - at)).ok();
    connection.reply(401, fits ? R"({"detail":"Invalid request."})" : R"({"detail":"401 Unauthorized"})");
  };
}

Report report_on(const std::string& url, const std::string& our_secret = secret) {
  std::signal(SIGPIPE, SIG_IGN);
  Settings settings;
  settings.owui_base_url = url;
  settings.auth.secret = our_secret;
  Report report;
  doctor::look_at_open_webui(report, settings, SystemClock());
  return report;
}

}  // namespace

TEST_CASE("Open WebUI with the same secret and clock is fine, and its version is named") {
  const WebServer server(open_webui());
  const Report report = report_on(server.url());
  INFO(report.text());
  CHECK(report.exit_status() == 0);
  CHECK(has(line(report, "open-webui").text, "0.12.4"));
  CHECK(line(report, "secret").verdict == Verdict::ok);
  CHECK(line(report, "clock").verdict == Verdict::ok);
}

TEST_CASE("a secret that is not Open WebUI's is found, and neither secret nor token is shown") {
  const WebServer server(open_webui());
  const std::string other = "another-secret-0123456789-abcdefghij";
  const Report report = report_on(server.url(), other);
  CHECK(report.exit_status() == 1);
  CHECK(has(line(report, "secret").text, "WEBUI_SECRET_KEY"));
  CHECK_FALSE(has(report.text(), other));
  CHECK_FALSE(has(report.text(), "eyJ"));
}

TEST_CASE("a clock that is further away than the leeway is a problem in both directions") {
  for (const int ahead : {600, -600}) {
    const WebServer server(open_webui(std::chrono::seconds(ahead)));
    const doctor::Line clock = line(report_on(server.url()), "clock");
    CHECK(clock.verdict == Verdict::problem);
    CHECK(has(clock.text, ahead > 0 ? "ahead" : "behind"));
  }
}

TEST_CASE("another server at OWUI_BASE_URL is told apart from Open WebUI") {
  const WebServer server([](const WebRequest&, const WebConnection& connection) {
    connection.reply(200, "<html>welcome</html>");
  });
  const Report report = report_on(server.url());
  CHECK(report.exit_status() == 1);
  CHECK(has(line(report, "open-webui").text, "not as Open WebUI"));
}

TEST_CASE("an Open WebUI that is away is a problem, a URL that is none a bad setting, no URL is fine") {
  CHECK(report_on("http://127.0.0.1:1").exit_status() == 1);
  CHECK(report_on("open-webui").exit_status() == 2);
  CHECK(report_on("").exit_status() == 0);
}

TEST_CASE("a server that answers every token alike but not with 401 cannot show whether the secret fits") {
  const WebServer server([](const WebRequest& request, const WebConnection& connection) {
    if (request.line.starts_with("GET /api/version ")) return connection.reply(200, R"({"version":"9"})");
    connection.reply(503, "busy");
  });
  const Report report = report_on(server.url());
  CHECK(line(report, "secret").verdict == Verdict::warning);
  CHECK(line(report, "clock").verdict == Verdict::warning);
}
