#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/doctor.hpp"
#include "app/doctor_admin.hpp"
#include "base/text.hpp"
#include "openwebui/reference.hpp"

namespace codebox::app::doctor {
namespace {

using nlohmann::json;

// No chat has this id, so nobody ever sees the event.
constexpr const char* no_chat = "00000000-0000-4000-8000-000000000000";
constexpr std::chrono::milliseconds slow{1000};

void look_at_events(Report& report, const Administrator& admin) {
  const std::string path = std::string("/api/v1/chats/") + no_chat + "/messages/" + no_chat + "/event";
  const auto began = std::chrono::steady_clock::now();
  const auto reply = admin.post(path, {{"type", "status"}, {"data", json::object()}});
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  const std::string lost = "so that chats show no status line and no chips";
  if (!reply) return report.warn("events", "The chat event endpoint does not answer, " + lost + '.');
  if (reply->status == 404 || reply->status == 405) {
    return report.warn("events", "Open WebUI has no chat event endpoint (HTTP status " +
                                     std::to_string(reply->status) + "), " + lost +
                                     ": update it to 0.8.0 or later.");
  }
  const std::string time = std::to_string(took.count()) + " ms";
  if (took > slow) {
    return report.warn("events", "The chat event endpoint took " + time +
                                     ": status lines and chips come late while it is that slow.");
  }
  report.ok("events", "The chat event endpoint answers in " + time + '.');
}

void look_at_sizes(Report& report, const Administrator& admin, const Settings& settings) {
  const json most = member(member(read(admin.get("/api/config")), "file"), "max_size");
  const double megabytes = most.is_number() ? most.get<double>() : 0;
  if (megabytes > 0 && megabytes * 1024 * 1024 < static_cast<double>(settings.run.max_file)) {
    report.warn("upload", "Open WebUI takes files of at most " + std::to_string(std::lround(megabytes)) +
                              " MB, and SANDBOX_MAX_FILE_SIZE is " + text::size(settings.run.max_file) +
                              ": make them equal.");
  }
  const json permissions = read(admin.get("/api/v1/users/default/permissions"));
  if (member(member(permissions, "chat"), "file_upload") == false) {
    report.warn(
        "upload",
        "People may not attach files by default: allow File Upload in Open WebUI's default permissions.");
  }
}

void look_at_upload(Report& report, const Administrator& admin) {
  const std::string content = "codebox doctor was here\n";
  const auto stored = admin.upload("codebox-doctor.txt", content);
  if (!stored) return report.problem("upload", stored.failure());
  const std::string id = text_of(read(stored), "id");
  if (!openwebui::is_uuid(id)) {
    return report.problem("upload", "Open WebUI did not take a small file (HTTP status " +
                                        std::to_string(stored->status) +
                                        "), so that programs cannot return any: its log says why.");
  }
  const std::string path = "/api/v1/files/" + id;
  const auto back = admin.get(path + "/content");
  (void)admin.remove(path);
  const auto gone = admin.get(path);
  if (!back || back->status != 200 || back->body != content) {
    return report.problem("upload",
                          "Open WebUI took a small file and did not give it back: look at its storage.");
  }
  const bool removed = gone && gone->status == 404;
  report.ok("upload", removed ? "A small file was uploaded, read back and removed."
                              : "A small file was uploaded and read back; it could not be removed.");
}

}  // namespace

void look_at_connections(Report& report, const Settings& settings, const std::string& token) {
  if (settings.owui_base_url.empty()) {
    return report.problem("connection",
                          "OWUI_BASE_URL is empty: set it to where this server reaches Open WebUI.");
  }
  if (token.empty()) {
    return report.warn("administrator",
                       "Connections, events and uploads were not looked at: give the token or API key of an "
                       "administrator of Open WebUI in a file, with --token FILE.");
  }
  auto client =
      openwebui::Client::make({settings.owui_base_url, settings.owui_verify_tls, settings.owui_ca_bundle,
                               settings.owui_public_url, settings.run.max_file});
  if (!client) return;  // said already
  const Administrator admin(**client, token);
  if (!look_at_each_connection(report, admin)) return;
  look_at_events(report, admin);
  look_at_sizes(report, admin, settings);
  look_at_upload(report, admin);
}

}  // namespace codebox::app::doctor
