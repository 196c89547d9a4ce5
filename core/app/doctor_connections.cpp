#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/arrived.hpp"
#include "app/doctor.hpp"
#include "app/doctor_admin.hpp"
#include "base/text.hpp"

namespace codebox::app::doctor {
namespace {

using nlohmann::json;
using openwebui::Reply;

constexpr std::size_t most_connections = 50;
constexpr const char* wanted_headers =
    R"({"X-OpenWebUI-Chat-Id":"{{CHAT_ID}}","X-OpenWebUI-Message-Id":"{{MESSAGE_ID}}"})";

/// One connection of Open WebUI, as its administrator wrote it.
class Connection {
 public:
  Connection(const Administrator& admin, const json& written)
      : admin_(admin), written_(written.is_object() ? written : json::object()) {}

  bool mcp() const { return text_of(written_, "type") == "mcp"; }
  bool on() const { return member(member(written_, "config"), "enable") == true; }
  bool shared() const {
    const json grants = member(member(written_, "config"), "access_grants");
    return !grants.is_array() || !grants.empty();
  }
  std::string auth() const { return text_of(written_, "auth_type"); }
  std::string url() const { return text_of(written_, "url"); }
  std::string name() const {
    const std::string id = text_of(member(written_, "info"), "id");
    return text::quoted(id.empty() ? url() : id, 80);
  }
  /// Whether the headers stand in it as documented.
  bool has_headers() const {
    json headers = member(written_, "headers");
    if (headers.is_string()) headers = json::parse(headers.get<std::string>(), nullptr, false);
    return header(headers, "X-OpenWebUI-Chat-Id") == "{{CHAT_ID}}" &&
           header(headers, "X-OpenWebUI-Message-Id") == "{{MESSAGE_ID}}";
  }

  /// What /connection of the server behind it says, which Open WebUI fetches with these headers.
  Result<Reply> arrived(const std::string& auth, const json& headers) const {
    std::string base = url();
    while (base.ends_with('/')) base.pop_back();
    if (mcp() && base.ends_with("/mcp")) base.resize(base.size() - 4);
    json probe = written_;
    probe.update({{"type", "openapi"}, {"url", base}, {"path", arrived_path}, {"spec_type", "url"}});
    probe.update({{"auth_type", auth}, {"key", ""}, {"headers", headers}});
    return admin_.post("/api/v1/configs/tool_servers/verify", probe);
  }
  Result<Reply> tools() const { return admin_.post("/api/v1/configs/tool_servers/verify", written_); }

 private:
  static std::string header(const json& headers, const std::string& name) {
    if (!headers.is_object()) return "";
    for (const auto& [key, value] : headers.items()) {
      if (text::lower(key) == text::lower(name) && value.is_string()) return value.get<std::string>();
    }
    return "";
  }

  const Administrator& admin_;
  const json written_;
};

void look_at_identity(Report& report, const Connection& connection) {
  if (connection.auth() != "session") {
    return report.problem("identity", "The connection " + connection.name() + " sends " +
                                          text::quoted(connection.auth(), 30) +
                                          " and not each person's own token: set its Auth to Session.");
  }
  const std::string said = text_of(read(connection.arrived("session", json::object())), "token");
  if (said != "ok") {
    return report.problem("identity", "The connection " + connection.name() +
                                          " brings a token that this server refuses: " +
                                          text::one_line(text::prefix(said, 300)));
  }
  report.ok("identity", connection.name() + ": the token of the person who calls arrives and is accepted.");
}

void look_at_headers(Report& report, const Connection& connection) {
  if (!connection.has_headers()) {
    return report.warn("headers",
                       "The connection " + connection.name() +
                           " does not name its chat and message, so that chats show no status line "
                           "and no chips: set its headers to " +
                           wanted_headers);
  }
  // An id that Open WebUI has outside of a chat stands in for those that it has in one.
  const json seen = read(connection.arrived(
      "none", {{"X-OpenWebUI-Chat-Id", "{{USER_ID}}"}, {"X-OpenWebUI-Message-Id", "{{USER_ID}}"}}));
  const std::string chat = text_of(seen, "chat");
  const std::string message = text_of(seen, "message");
  if (chat == "unfilled" || message == "unfilled") {
    return report.problem("headers", "Open WebUI sends the header templates of the connection " +
                                         connection.name() +
                                         " as they were typed: update it to 0.9.6 or later.");
  }
  if (chat != "id" || message != "id") {
    return report.problem("headers", "The headers of the connection " + connection.name() +
                                         " do not arrive: let the proxy before this server pass "
                                         "X-OpenWebUI-Chat-Id and X-OpenWebUI-Message-Id.");
  }
  report.ok("headers", connection.name() + ": header templates are filled in and arrive.");
}

void look_at_tools(Report& report, const Connection& connection) {
  const auto reply = connection.tools();
  if (!reply) return report.problem("tools", reply.failure());
  const json answer = read(reply);
  const json found = member(answer, connection.mcp() ? "specs" : "paths");
  if (found.empty()) {
    return report.problem(
        "tools",
        "Open WebUI finds no tools through the connection " + connection.name() + " (HTTP status " +
            std::to_string(reply->status) +
            "): its type must be MCP (Streamable HTTP) with a URL that ends in /mcp, or OpenAPI with "
            "the URL before that and openapi.json; its log says more.");
  }
  report.ok("tools", connection.name() + ": " + std::to_string(found.size()) + " tools.");
}

// Whether it leads to a Codebox. Nobody's token goes to a server that is not known to be one.
bool is_ours(const Connection& connection) {
  return text_of(read(connection.arrived("none", json::object())), "server") == "codebox";
}

void look_at(Report& report, const Connection& connection) {
  report.ok("connection", connection.name() + (connection.mcp() ? " (MCP)" : " (OpenAPI)") +
                              " leads here: " + text::one_line(text::prefix(connection.url(), 200)));
  if (!connection.on())
    report.problem("connection", "The connection " + connection.name() + " is turned off: turn it on.");
  if (!connection.shared()) {
    report.warn("connection", "Only administrators may use the connection " + connection.name() +
                                  ": give access to those who should.");
  }
  look_at_identity(report, connection);
  look_at_headers(report, connection);
  look_at_tools(report, connection);
}

}  // namespace

bool look_at_each_connection(Report& report, const Administrator& admin) {
  const auto reply = admin.get("/api/v1/configs/tool_servers");
  if (!reply) {
    report.problem("administrator", reply.failure());
    return false;
  }
  if (reply->status != 200) {
    report.problem(
        "administrator",
        "Open WebUI does not take the token that --token names as an administrator's (HTTP status " +
            std::to_string(reply->status) + "): use one of an administrator's account.");
    return false;
  }
  report.ok("administrator", "The token is an administrator's.");
  const json written = member(json::parse(reply->body, nullptr, false), "TOOL_SERVER_CONNECTIONS");
  std::vector<std::string> others;
  bool any = false;
  for (std::size_t i = 0; written.is_array() && i < std::min(written.size(), most_connections); ++i) {
    const Connection connection(admin, written[i]);
    if (is_ours(connection)) {
      look_at(report, connection);
      any = true;
    } else {
      others.push_back(text::quoted(connection.url(), 120));
    }
  }
  if (!any) {
    report.problem("connection",
                   "No connection of Open WebUI leads to a Codebox that answers" +
                       (others.empty() ? "" : " (tried from there: " + text::join(others, ", ") + ")") +
                       ": add the one of the README, with a URL that Open WebUI itself can reach.");
  }
  return true;
}

}  // namespace codebox::app::doctor
