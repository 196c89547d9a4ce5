#include <csignal>
#include <fstream>

#include "doctor.hpp"
#include "support/certificate.hpp"
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

Report port_of(const std::string& host, std::uint16_t port) {
  std::signal(SIGPIPE, SIG_IGN);
  Settings settings;
  settings.http.host = host;
  settings.http.port = port;
  Report report;
  doctor::look_at_port(report, settings);
  return report;
}

Report certificate_of(const std::string& certificate, const std::string& key) {
  Settings settings;
  settings.http.tls_cert = certificate;
  settings.http.tls_key = key;
  Report report;
  doctor::look_at_certificate(report, settings, SystemClock());
  return report;
}

constexpr long day = 86400;

}  // namespace

TEST_CASE("a free port is fine, and so is any port") {
  CHECK(port_of("127.0.0.1", 0).exit_status() == 0);
}

TEST_CASE("a port where Codebox listens already is ours, where another listens it is a problem") {
  const WebServer codebox([](const WebRequest&, const WebConnection& connection) {
    connection.reply(404, R"({"error":"The URL that ends in /mcp speaks MCP: choose another type."})");
  });
  CHECK(has(line(port_of("127.0.0.1", codebox.port()), "port").text, "already"));
  const WebServer other(
      [](const WebRequest&, const WebConnection& connection) { connection.reply(404, "no"); });
  const Report report = port_of("127.0.0.1", other.port());
  CHECK(report.exit_status() == 1);
  CHECK(has(line(report, "port").text, "Another program"));
}

TEST_CASE("a host that is not this machine's is a bad setting") {
  CHECK(port_of("192.0.2.1", 0).exit_status() == 2);
  CHECK(port_of("not a host", 0).exit_status() == 2);
}

TEST_CASE("a server is reached at loopback where it listens everywhere") {
  Settings settings;
  CHECK(doctor::local_authority(settings) == "127.0.0.1:8000");
  settings.http.host = "::";
  CHECK(doctor::local_authority(settings) == "[::1]:8000");
  settings.http.host = "10.0.0.7";
  CHECK(doctor::local_authority(settings) == "10.0.0.7:8000");
}

TEST_CASE("a certificate is fine, about to expire, expired or not yet valid") {
  const support::Authority good(-day, 100 * day);
  CHECK(line(certificate_of(good.certificate(), good.key()), "tls").verdict == Verdict::ok);
  const support::Authority ending(-day, 3 * day);
  CHECK(line(certificate_of(ending.certificate(), ending.key()), "tls").verdict == Verdict::warning);
  const support::Authority over(-3 * day, -day);
  CHECK(has(line(certificate_of(over.certificate(), over.key()), "tls").text, "expired"));
  CHECK(certificate_of(over.certificate(), over.key()).exit_status() == 1);
  const support::Authority early(day, 100 * day);
  CHECK(has(line(certificate_of(early.certificate(), early.key()), "tls").text, "only from"));
}

TEST_CASE("a key of another certificate and a file that is not there are bad settings") {
  const support::Authority one;
  const support::Authority other;
  CHECK(certificate_of(one.certificate(), other.key()).exit_status() == 2);
  CHECK(certificate_of("/nonexistent/cert.pem", one.key()).exit_status() == 2);
  CHECK(certificate_of("", "").exit_status() == 0);
}

TEST_CASE("a state folder that can be written is fine, also before it is made, and stays as it was") {
  const Folder folder;
  Settings settings;
  for (const auto& path : {folder.path(), folder.path() / "not" / "yet"}) {
    settings.state_dir = path;
    Report report;
    doctor::look_at_state(report, settings);
    INFO(report.text());
    CHECK(report.exit_status() == 0);
  }
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a state folder that is a file or cannot be written is a bad setting") {
  const Folder folder;
  std::ofstream(folder.path() / "file") << "x";
  Settings settings;
  for (const char* path : {"file", "file/below"}) {
    settings.state_dir = folder.path() / path;
    Report report;
    doctor::look_at_state(report, settings);
    CHECK(report.exit_status() == 2);
  }
  settings.state_dir = "/proc/codebox";
  Report report;
  doctor::look_at_state(report, settings);
  CHECK(report.exit_status() == 2);
}

TEST_CASE("an empty, a short and a good secret are a bad setting, a warning and fine") {
  const auto verdict_of = [](const std::string& secret) {
    Settings settings;
    settings.auth.secret = secret;
    Report report;
    doctor::look_at_token(report, settings);
    CHECK_FALSE((!secret.empty() && has(report.text(), secret)));
    return line(report, "token").verdict;
  };
  CHECK(verdict_of("") == Verdict::problem);
  CHECK(verdict_of("twenty-bytes-long-xx") == Verdict::warning);
  CHECK(verdict_of("0123456789abcdef0123456789abcdef") == Verdict::ok);
}
