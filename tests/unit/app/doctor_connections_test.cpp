#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "doctor.hpp"
#include "sentences.hpp"
#include "support/web_server.hpp"

using namespace codebox;
using namespace codebox::app;
using namespace codebox::app::test;
using doctor::Report;
using nlohmann::json;
using support::WebConnection;
using support::WebRequest;
using support::WebServer;

namespace {

constexpr const char* file = "11111111-2222-4333-8444-555555555555";

/// An Open WebUI whose one connection is right, and what is different of it.
struct Told {
  json connection = {
      {"type", "mcp"},
      {"url", "http://codebox:8000/mcp"},
      {"path", ""},
      {"auth_type", "session"},
      {"headers", {{"X-OpenWebUI-Chat-Id", "{{CHAT_ID}}"}, {"X-OpenWebUI-Message-Id", "{{MESSAGE_ID}}"}}},
      {"config", {{"enable", true}, {"access_grants", {"everybody"}}}},
      {"info", {{"id", "box"}}}};
  int administrator = 200;
  json arrived = {{"server", "codebox"}, {"token", "ok"}, {"chat", "id"}, {"message", "id"}};
  int tools = 200;
  int events = 401;
  std::chrono::milliseconds event_time{0};
  int upload = 200;
  std::string content = "codebox doctor was here\n";
  json max_size = nullptr;
  bool may_attach = true;
};

std::pair<int, json> answer(const Told& told, const WebRequest& request) {
  const auto asks = [&](const std::string& line) { return request.line.starts_with(line); };
  if (asks("GET /api/v1/configs/tool_servers ")) {
    return {told.administrator, {{"TOOL_SERVER_CONNECTIONS", {told.connection}}}};
  }
  if (asks("POST /api/v1/configs/tool_servers/verify ")) {
    const json probe = json::parse(request.body);
    if (probe["path"] == "/connection") return {200, told.arrived};
    return {told.tools, {{"specs", {{{"name", "run_python"}}}}}};
  }
  if (asks("POST /api/v1/chats/")) {
    std::this_thread::sleep_for(told.event_time);
    return {told.events, {{"detail", "no such chat"}}};
  }
  if (asks("POST /api/v1/files/")) return {told.upload, {{"id", file}}};
  if (asks("GET /api/config ")) return {200, {{"file", {{"max_size", told.max_size}}}}};
  if (asks("GET /api/v1/users/default/permissions ")) {
    return {200, {{"chat", {{"file_upload", told.may_attach}}}}};
  }
  return {404, json::object()};
}

Report report_on(const Told& told, const std::string& token = "an-administrators-token") {
  std::signal(SIGPIPE, SIG_IGN);
  const WebServer server([&](const WebRequest& request, const WebConnection& connection) {
    if (request.line.find("/content ") != std::string::npos) return connection.reply(200, told.content);
    const auto [status, body] = answer(told, request);
    connection.reply(status, body.dump());
  });
  Settings settings;
  settings.owui_base_url = server.url();
  Report report;
  doctor::look_at_connections(report, settings, token);
  CHECK_FALSE(has(report.text(), "an-administrators-token"));
  return report;
}

/// The one line that is no "ok".
std::string trouble(const Told& told, const std::string& token = "an-administrators-token") {
  const Report report = report_on(told, token);
  std::string found;
  for (const doctor::Line& line : report.lines()) {
    if (line.verdict == doctor::Verdict::ok) continue;
    INFO(report.text());
    CHECK(found.empty());
    found = line.text;
  }
  return found;
}

template <class Change>
std::string when(Change change) {
  Told told;
  change(told);
  return trouble(told);
}

}  // namespace

TEST_CASE("a connection as documented is fine in every row") {
  const Report report = report_on({});
  INFO(report.text());
  CHECK(report.exit_status() == 0);
  for (const char* topic :
       {"administrator", "connection", "identity", "headers", "tools", "events", "upload"})
    CHECK(line(report, topic).verdict == doctor::Verdict::ok);
}

TEST_CASE("each trouble with a connection of Open WebUI gets the sentence of the documentation") {
  compare("Connections of Open WebUI",
          {
              {"no token was given", trouble({}, "")},
              {"the token is no administrator's", when([](Told& t) { t.administrator = 401; })},
              {"no connection leads here", when([](Told& t) {
                 t.arrived = {{"detail", "Not Found"}};
               })},
              {"a connection is turned off", when([](Told& t) { t.connection["config"]["enable"] = false; })},
              {"a connection is private",
               when([](Told& t) { t.connection["config"]["access_grants"] = json::array(); })},
              {"Auth is not Session", when([](Told& t) { t.connection["auth_type"] = "bearer"; })},
              {"its token is refused", when([](Told& t) { t.arrived["token"] = "The token has expired."; })},
              {"headers are missing in it", when([](Told& t) { t.connection["headers"] = nullptr; })},
              {"Open WebUI is too old for templates", when([](Told& t) { t.arrived["chat"] = "unfilled"; })},
              {"a proxy drops the headers", when([](Told& t) { t.arrived["message"] = "absent"; })},
              {"its type and URL do not fit", when([](Told& t) { t.tools = 400; })},
              {"Open WebUI has no event endpoint", when([](Told& t) { t.events = 404; })},
              {"the event endpoint is slow",
               when([](Told& t) { t.event_time = std::chrono::milliseconds(1200); })},
              {"Open WebUI's size limit is smaller", when([](Told& t) { t.max_size = 10; })},
              {"people may not attach files", when([](Told& t) { t.may_attach = false; })},
              {"uploads are refused", when([](Told& t) { t.upload = 403; })},
              {"uploads are lost", when([](Told& t) { t.content = "something else"; })},
          });
}

TEST_CASE("an Open WebUI that answers with anything at all does not confuse the doctor") {
  for (const json& odd : {json(nullptr), json(5), json::array({1, "x", json::object()}), json("text")}) {
    Told told;
    told.connection = odd;
    told.arrived = odd;
    CHECK(has(trouble(told), "No connection of Open WebUI"));
  }
}

TEST_CASE("nobody's token goes to a server that is not known to be a Codebox") {
  std::signal(SIGPIPE, SIG_IGN);
  Told told;
  told.arrived = {{"server", "another"}};
  const WebServer server([&](const WebRequest& request, const WebConnection& connection) {
    const auto [status, body] = answer(told, request);
    connection.reply(status, body.dump());
  });
  Settings settings;
  settings.owui_base_url = server.url();
  Report report;
  doctor::look_at_connections(report, settings, "an-administrators-token");
  std::vector<std::string> auths;
  for (const WebRequest& request : server.requests()) {
    if (has(request.line, "/verify ")) auths.push_back(json::parse(request.body)["auth_type"]);
  }
  CHECK(auths == std::vector<std::string>{"none"});
}
