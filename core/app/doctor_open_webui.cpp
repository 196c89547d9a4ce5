#include <Poco/DateTimeFormat.h>
#include <Poco/DateTimeParser.h>
#include <Poco/Exception.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "app/doctor.hpp"
#include "auth/bearer.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "openwebui/client.hpp"

namespace codebox::app::doctor {
namespace {

using openwebui::Reply;

constexpr const char* topic = "open-webui";
constexpr std::chrono::seconds patience{10};
// An account that no Open WebUI has: its ids are UUIDs.
constexpr const char* nobody = "codebox-doctor";

Result<Reply> ask(const openwebui::Client& client, const std::string& path, const std::string& token = "") {
  return client.exchange({.path = path, .token = token, .limit = 1U << 20U},
                         std::chrono::steady_clock::now() + patience, {});
}

std::string version_of(const Reply& reply) {
  const auto answer = nlohmann::json::parse(reply.body, nullptr, false);
  if (reply.status != 200 || !answer.is_object() || !answer.contains("version") ||
      !answer["version"].is_string()) {
    return "";
  }
  return text::one_line(text::prefix(answer["version"].get<std::string>(), 40));
}

std::optional<WallTime> date_of(const std::string& header) {
  try {
    int zone = 0;
    const Poco::DateTime date = Poco::DateTimeParser::parse(Poco::DateTimeFormat::HTTP_FORMAT, header, zone);
    return std::chrono::system_clock::from_time_t(date.timestamp().epochTime());
  } catch (const Poco::Exception&) {
    return std::nullopt;
  }
}

void compare_clocks(Report& report, const Settings& settings, const std::string& header, WallTime now) {
  const auto theirs = date_of(header);
  if (!theirs) return report.warn("clock", "Open WebUI sends no date, so the clocks could not be compared.");
  const auto apart = std::chrono::duration_cast<std::chrono::seconds>(*theirs - now).count();
  const std::string seconds = std::to_string(apart < 0 ? -apart : apart) + " s";
  const std::string leeway = std::to_string(settings.auth.leeway.count()) + " s of JWT_LEEWAY";
  if (apart > settings.auth.leeway.count() || -apart > settings.auth.leeway.count()) {
    return report.problem("clock", "Open WebUI's clock is " + seconds + (apart > 0 ? " ahead" : " behind") +
                                       ", more than the " + leeway +
                                       ": set the clocks of both machines right.");
  }
  report.ok("clock", "Open WebUI's clock is " + seconds + " apart, within the " + leeway + ".");
}

Result<std::string> signed_token(auth::Options options, const Clock& clock) {
  auto bearer = auth::make_bearer(options, clock);
  if (!bearer) return bearer.failure();
  return (*bearer)->issue(nobody, clock.wall() + std::chrono::minutes(1));
}

// Open WebUI refuses both a token for nobody and a token of another secret, in different words; what they are
// depends on its version. So the same is asked with a secret that is certainly wrong: equal answers, equally
// wrong.
void try_secret(Report& report, const openwebui::Client& client, const Settings& settings,
                const Clock& clock) {
  auth::Options wrong = settings.auth;
  wrong.secret = random_hex(16);
  const auto ours = signed_token(settings.auth, clock);
  if (!ours) {
    return report.warn("secret",
                       "Whether Open WebUI's tokens fit could not be tried: " + ours.failure().message);
  }
  const auto other = signed_token(wrong, clock);
  if (!other) return report.problem("secret", other.failure());
  const std::string path = "/api/v1/files/user/count";
  const auto answer = ask(client, path, *ours);
  const auto control = ask(client, path, *other);
  if (!answer) return report.problem("secret", answer.failure());
  if (!control) return report.problem("secret", control.failure());
  if (control->status != 401) {
    return report.warn("secret",
                       "Whether JWT_SECRET fits could not be tried: Open WebUI answers a wrong token with "
                       "HTTP status " +
                           std::to_string(control->status) + " instead of 401.");
  }
  if (answer->status == control->status && answer->body == control->body) {
    return report.problem("secret",
                          "Open WebUI refuses tokens signed with JWT_SECRET: set it to the very value of "
                          "Open WebUI's WEBUI_SECRET_KEY.");
  }
  report.ok("secret", "JWT_SECRET is Open WebUI's WEBUI_SECRET_KEY.");
}

void look_at_trust(Report& report, const Settings& settings) {
  if (!text::lower(settings.owui_base_url).starts_with("https:")) return;
  if (!settings.owui_verify_tls) {
    return report.warn("open-webui-tls",
                       "Open WebUI's certificate is not checked (OWUI_VERIFY_TLS=false): name its "
                       "authority in OWUI_CA_BUNDLE instead.");
  }
  const bool machine = settings.owui_ca_bundle.empty();
  report.ok("open-webui-tls", std::string("Open WebUI's certificate is vouched for by ") +
                                  (machine ? "an authority of this machine." : "OWUI_CA_BUNDLE."));
}

}  // namespace

void look_at_open_webui(Report& report, const Settings& settings, const Clock& clock) {
  if (settings.owui_base_url.empty()) {
    return report.ok(topic, "OWUI_BASE_URL is empty: no Open WebUI, files are kept by this server.");
  }
  auto client =
      openwebui::Client::make({settings.owui_base_url, settings.owui_verify_tls, settings.owui_ca_bundle,
                               settings.owui_public_url, settings.run.max_file});
  if (!client) return report.problem(topic, client.failure());
  const auto reply = ask(**client, "/api/version");
  if (!reply) return report.problem(topic, reply.failure());
  const std::string version = version_of(*reply);
  if (version.empty()) {
    return report.problem(topic, "Something answers at OWUI_BASE_URL, but not as Open WebUI (HTTP status " +
                                     std::to_string(reply->status) +
                                     " at /api/version): correct its host, port or path.");
  }
  report.ok(topic, "Open WebUI " + version + " answers.");
  look_at_trust(report, settings);
  if (!settings.owui_check_user) {
    report.warn("account",
                "OWUI_CHECK_USER is false: an account that was deactivated keeps its access until its "
                "token expires, and API keys are refused.");
  }
  compare_clocks(report, settings, reply->date, clock.wall());
  try_secret(report, **client, settings, clock);
}

}  // namespace codebox::app::doctor
