#include "fixture.hpp"
#include "openwebui/user_check.hpp"

using namespace codebox;
using namespace codebox::openwebui;
using namespace codebox::openwebui::test;

namespace {

void store_any(const WebRequest&, const WebConnection& connection) {
  connection.reply(200, R"({"id":")" + id + R"("})");
}

Result<StoredFile> sent(const WebServer& server, const std::string& name, const std::string& content,
                        std::uint64_t size, const std::string& public_url = "") {
  TextSource bytes(content, 1000);
  return files_at(server.url(), public_url)->upload(ann(), name, size, bytes, soon(), {});
}

}  // namespace

TEST_CASE("a file goes up as one form field of exactly the announced length, unprocessed, with its type") {
  const WebServer server(store_any);
  const std::string content(200000, 'x');
  const auto stored = sent(server, "数据.png", content, content.size());
  REQUIRE(stored);
  CHECK(stored->name == "数据.png");
  CHECK(stored->link == "/api/v1/files/" + id + "/content");
  const auto request = server.requests().at(0);
  CHECK(request.line == "POST /api/v1/files/?process=false HTTP/1.1");
  CHECK(request.head.find("Content-Length: " + std::to_string(request.body.size()) + "\r\n") !=
        std::string::npos);
  CHECK(request.body.find("name=\"file\"; filename=\"数据.png\"\r\nContent-Type: image/png\r\n\r\n" +
                          content + "\r\n--") != std::string::npos);
}

TEST_CASE("a public URL stands before the link") {
  const WebServer server(store_any);
  CHECK(sent(server, "a", "x", 1, "https://chat.example/")->link ==
        "https://chat.example/api/v1/files/" + id + "/content");
}

TEST_CASE("an empty file and one over the limit are refused before anything is sent") {
  const WebServer server(store_any);
  const auto empty = sent(server, "empty.txt", "", 0);
  REQUIRE_FALSE(empty);
  CHECK(empty.failure().reason == Reason::invalid);
  CHECK(empty.failure().message.find("\"empty.txt\" is empty") != std::string::npos);
  CHECK(sent(server, "big", "x", (1U << 20U) + 1).failure().reason == Reason::too_large);
  CHECK(server.requests().empty());
}

TEST_CASE("a file that turns out shorter than announced is not stored") {
  const WebServer server(store_any);
  const auto stored = sent(server, "a", "abc", 100);
  REQUIRE_FALSE(stored);
  CHECK(stored.failure().reason == Reason::invalid);
}

TEST_CASE("a refusal of Open WebUI becomes a sentence") {
  const auto refused = [](int status) {
    const WebServer server(
        [status](const WebRequest&, const WebConnection& connection) { connection.reply(status, "{}"); });
    return sent(server, "a", "x", 1).failure().reason;
  };
  CHECK(refused(401) == Reason::unauthorized);
  CHECK(refused(413) == Reason::too_large);
  CHECK(refused(500) == Reason::offline);
  CHECK(refused(307) == Reason::offline);
  for (const char* body : {"{}", "null", "{\"id\":\"../x\"}", "{\"id\":7}", "x"}) {
    const WebServer server(
        [body](const WebRequest&, const WebConnection& connection) { connection.reply(200, body); });
    CHECK_FALSE(sent(server, "a", "x", 1));
  }
}

namespace {

class SetClock : public Clock {
 public:
  Time now() const override { return now_; }
  WallTime wall() const override { return {}; }
  void forward(std::chrono::seconds by) { now_ += by; }

 private:
  Time now_{std::chrono::hours(1)};
};

std::unique_ptr<UserCheck> check_at(const std::string& url, const Clock& clock) {
  std::signal(SIGPIPE, SIG_IGN);
  Options options;
  options.base_url = url;
  auto check = UserCheck::make(options, clock);
  REQUIRE(check);
  return std::move(*check);
}

}  // namespace

TEST_CASE("an accepted token is asked for once a minute, a refused one every ten seconds") {
  for (const int status : {200, 401}) {
    const WebServer server(
        [status](const WebRequest&, const WebConnection& connection) { connection.reply(status, "1"); });
    SetClock clock;
    const auto check = check_at(server.url(), clock);
    const auto keep = status == 200 ? 60s : 10s;
    for (int i = 0; i < 3; ++i) CHECK(check->check(ann()).ok() == (status == 200));
    CHECK(server.requests().size() == 1);
    CHECK(asks(server.requests().at(0), "/api/v1/files/user/count"));
    clock.forward(keep - 1s);
    CHECK(check->check(ann()).ok() == (status == 200));
    CHECK(server.requests().size() == 1);
    clock.forward(1s);
    CHECK(check->check(ann()).ok() == (status == 200));
    CHECK(server.requests().size() == 2);
    Caller other = ann();
    other.token = "other";
    CHECK(check->check(other).ok() == (status == 200));
    CHECK(server.requests().size() == 3);
  }
}

TEST_CASE("an Open WebUI that does not answer is offline, and asked again next time") {
  SetClock clock;
  const WebServer server(
      [](const WebRequest&, const WebConnection& connection) { connection.reply(502, "x"); });
  const auto check = check_at(server.url(), clock);
  for (int i = 0; i < 2; ++i) {
    const auto answer = check->check(ann());
    REQUIRE_FALSE(answer);
    CHECK(answer.failure().reason == Reason::offline);
    CHECK(answer.failure().message.find("ann.token") == std::string::npos);
  }
  CHECK(server.requests().size() == 2);
}
