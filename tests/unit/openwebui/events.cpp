#include <condition_variable>
#include <nlohmann/json.hpp>

#include "openwebui/chat_events.hpp"
#include "openwebui/event_line.hpp"
#include "unit/openwebui/fixture.hpp"

using namespace codebox;
using namespace codebox::openwebui;
using namespace codebox::openwebui::test;

namespace {

using nlohmann::json;

Caller watched() {
  Caller caller = ann();
  caller.message = other_id;
  return caller;
}

std::unique_ptr<ChatEvents> events_at(const std::string& url) {
  std::signal(SIGPIPE, SIG_IGN);
  Options options;
  options.base_url = url;
  auto events = make_chat_events(options);
  REQUIRE(events);
  return std::move(*events);
}

// Waits until the server was asked `count` times.
std::vector<support::WebRequest> asked(const WebServer& server, std::size_t count) {
  const Time end = soon();
  while (server.requests().size() < count && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(5ms);
  return server.requests();
}

std::string said(EventLine& line, Time now) {
  const auto body = line.take(now);
  line.sent(now, 1ms);
  return json::parse(body()).at("data").at("description");
}

}  // namespace

TEST_CASE("the line of a call that is over at once says only how it ended") {
  const Time now{1h};
  EventLine line(watched(), now);
  CHECK_FALSE(line.due());
  line.status("running", true, false, now);
  CHECK(line.due() == now + 250ms);
  line.status("done", false, true, now + 100ms);
  CHECK(*line.due() <= now + 100ms);
  CHECK(said(line, now + 100ms) == "done");
  CHECK_FALSE(line.due());
  line.close();
  CHECK(line.over());
}

TEST_CASE("lines come at most twice a second, and only the newest is sent") {
  const Time now{1h};
  EventLine line(watched(), now);
  line.status("fetching", false, false, now);
  CHECK(said(line, now + 250ms) == "fetching");
  line.status("installing", false, false, now + 260ms);
  line.status("running", true, false, now + 300ms);
  CHECK(line.due() == now + 750ms);
  line.status("running", true, false, now + 700ms);
  CHECK(line.due() == now + 850ms);
  CHECK(said(line, now + 850ms) == "running");
  line.status("done", false, true, now + 900ms);
  CHECK(line.due() == now + 1350ms);
}

TEST_CASE("something that lasts is told with its seconds, seldom enough for a chat that keeps all lines") {
  const Time now{1h};
  EventLine line(watched(), now);
  line.status("running", true, false, now);
  CHECK(said(line, now + 250ms) == "running");
  CHECK(line.due() == now + 2s);
  CHECK(said(line, now + 2s) == "running (2 s)");
  int lines = 0;
  Time last = now;
  for (auto due = line.due(); due && *due <= now + 10min; due = line.due(), ++lines) {
    last = *due;
    (void)said(line, last);
  }
  CHECK(lines < 60);
  CHECK(last > now + 9min);
}

TEST_CASE("a message without two UUIDs gets no events") {
  const WebServer server([](const WebRequest&, const WebConnection& c) { c.reply(200, "true"); });
  const auto events = events_at(server.url());
  for (const std::string& wrong : {std::string(), std::string("local:abc"), "../" + id.substr(3)}) {
    Caller caller = watched();
    caller.message = wrong;
    CHECK(events->open(caller) == nullptr);
    caller = watched();
    caller.chat = wrong;
    CHECK(events->open(caller) == nullptr);
  }
}

TEST_CASE("events go to the message's endpoint with the person's own token, files before the last line") {
  const WebServer server([](const WebRequest&, const WebConnection& c) { c.reply(200, "true"); });
  const auto events = events_at(server.url());
  {
    const auto message = events->open(watched());
    REQUIRE(message);
    message->attach({{"a.csv", "/api/v1/files/" + id + "/content", id, 7}, {"elsewhere.csv", "/x", "", 1}});
    message->done("Python: done\n\xFF");
  }
  const auto requests = asked(server, 2);
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].line == "POST /api/v1/chats/" + chat + "/messages/" + other_id + "/event HTTP/1.1");
  CHECK(requests[0].head.find("Authorization: Bearer ann.token\r\n") != std::string::npos);
  const json files = json::parse(requests[0].body);
  CHECK(files.at("type") == "files");
  REQUIRE(files.at("data").at("files").size() == 1);
  CHECK(files["data"]["files"][0].at("id") == id);
  CHECK(files["data"]["files"][0].at("content_type") == "text/csv");
  const json status = json::parse(requests[1].body);
  CHECK(status.at("type") == "status");
  CHECK(status["data"]["done"] == true);
  CHECK(status["data"]["description"] == "Python: done \xEF\xBF\xBD");
}

TEST_CASE("a refused message gets no more events") {
  const WebServer server([](const WebRequest&, const WebConnection& c) { c.reply(401, "{}"); });
  const auto events = events_at(server.url());
  const auto message = events->open(watched());
  message->attach({{"a.csv", "", id, 7}});
  REQUIRE(asked(server, 1).size() == 1);
  message->attach({{"a.csv", "", id, 7}});
  message->done("done");
  // Another message is not silent; when its event is there, that of the first would have been.
  const auto other = events->open(watched());
  REQUIRE(other);
  other->done("other");
  const auto requests = asked(server, 2);
  REQUIRE(requests.size() == 2);
  CHECK(requests[1].body.find("other") != std::string::npos);
}

TEST_CASE("nobody waits for an Open WebUI that hangs, and after it nothing is sent for a while") {
  const WebServer server([](const WebRequest&, const WebConnection& c) { c.wait_for_close(20s); });
  const auto events = events_at(server.url());
  const auto began = std::chrono::steady_clock::now();
  {
    const auto message = events->open(watched());
    for (int i = 0; i < 10'000; ++i) message->status("line " + std::to_string(i));
    message->done("done");
  }
  CHECK(std::chrono::steady_clock::now() - began < 2s);
  const Time end = soon();
  while (events->open(watched()) && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(20ms);
  CHECK(events->open(watched()) == nullptr);
  CHECK(server.requests().size() == 1);
}
