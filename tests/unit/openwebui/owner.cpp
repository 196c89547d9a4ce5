#include <atomic>
#include <latch>
#include <thread>
#include <vector>

#include "fixture.hpp"
#include "openwebui/user_check.hpp"
#include "support/fake_clock.hpp"

using namespace codebox;
using namespace codebox::openwebui;
using namespace codebox::openwebui::test;

namespace {

const std::string key = "sk-0123456789abcdef0123456789abcdef";
const std::string status_path = "/api/v1/users/user/status";
const std::string search_path = "/api/v1/files/user/search?content=false&limit=1";

std::unique_ptr<UserCheck> check_at(const std::string& url, const Clock& clock) {
  std::signal(SIGPIPE, SIG_IGN);
  Options options;
  options.base_url = url;
  auto check = UserCheck::make(options, clock);
  REQUIRE(check);
  return std::move(*check);
}

}  // namespace

TEST_CASE("the owner of an API key is whom Open WebUI names to that key, asked once a minute") {
  const WebServer server([](const WebRequest& request, const WebConnection& connection) {
    connection.reply(asks(request, status_path) ? 200 : 404, R"({"id":"ann-id","email":"ann@example.test"})");
  });
  codebox::test::FakeClock clock;
  const auto check = check_at(server.url(), clock);
  for (int i = 0; i < 3; ++i) {
    const auto owner = check->owner(key);
    REQUIRE(owner);
    CHECK(*owner == "ann-id");
  }
  CHECK(server.requests().size() == 1);
  CHECK(server.requests().at(0).head.find("Authorization: Bearer " + key + "\r\n") != std::string::npos);
  clock.advance(61s);
  CHECK(check->owner(key));
  CHECK(server.requests().size() == 2);
}

TEST_CASE("where user status is off, the owner is read from one of the key's own files") {
  const WebServer server([](const WebRequest& request, const WebConnection& connection) {
    if (asks(request, search_path)) return connection.reply(200, R"([{"id":"f","user_id":"ann-id"}])");
    connection.reply(403, R"({"detail":"restricted"})");
  });
  codebox::test::FakeClock clock;
  const auto owner = check_at(server.url(), clock)->owner(key);
  REQUIRE(owner);
  CHECK(*owner == "ann-id");
}

TEST_CASE("a key whose owner is not said, or not fit for an id, is refused with what to turn on") {
  for (const char* files :
       {"[]", "{}", "nonsense", R"([{"user_id":7}])", R"([{"user_id":"a\nb"}])", "[[]]"}) {
    INFO(files);
    const WebServer server([files](const WebRequest& request, const WebConnection& connection) {
      connection.reply(asks(request, search_path) ? 200 : 403, files);
    });
    codebox::test::FakeClock clock;
    const auto owner = check_at(server.url(), clock)->owner(key);
    REQUIRE_FALSE(owner);
    CHECK(owner.failure().reason == Reason::unauthorized);
    CHECK(owner.failure().message.find("ENABLE_USER_STATUS") != std::string::npos);
  }
}

TEST_CASE("a key that Open WebUI refuses is refused, remembered briefly, and never shown") {
  const WebServer server([](const WebRequest&, const WebConnection& connection) {
    connection.reply(401, R"({"detail":"no"})");
  });
  codebox::test::FakeClock clock;
  const auto check = check_at(server.url(), clock);
  for (int i = 0; i < 2; ++i) {
    const auto owner = check->owner(key);
    REQUIRE_FALSE(owner);
    CHECK(owner.failure().reason == Reason::unauthorized);
    CHECK(owner.failure().message.find(key) == std::string::npos);
  }
  CHECK(server.requests().size() == 1);
}

TEST_CASE("text that is no key never reaches Open WebUI") {
  const WebServer server(
      [](const WebRequest&, const WebConnection& connection) { connection.reply(200, "{}"); });
  codebox::test::FakeClock clock;
  const auto check = check_at(server.url(), clock);
  CHECK_FALSE(check->owner("sk-a b"));
  CHECK_FALSE(check->owner("sk-\r\nX: y"));
  CHECK_FALSE(check->owner("sk-" + std::string(300, 'a')));
  CHECK(server.requests().empty());
}

TEST_CASE("Open WebUI is asked about a few keys at a time, and the others are told to try again") {
  constexpr int callers = 20;
  constexpr int at_once = 8;
  std::latch answering(1);
  const WebServer server([&](const WebRequest&, const WebConnection& connection) {
    answering.wait();
    connection.reply(401, "no");
  });
  codebox::test::FakeClock clock;
  const auto check = check_at(server.url(), clock);
  std::atomic<int> turned_away = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < callers; ++i) {
      threads.emplace_back([&, i] {
        const auto owner = check->owner(key + std::to_string(i));
        if (!owner && owner.failure().message.find("many API keys") != std::string::npos) ++turned_away;
      });
    }
    for (const auto end = soon();
         turned_away < callers - at_once && std::chrono::steady_clock::now() < end;) {
      std::this_thread::yield();
    }
    answering.count_down();
  }
  CHECK(turned_away == callers - at_once);
}

TEST_CASE("an address with a user or password in it is refused without showing it") {
  Options options;
  options.base_url = "http://ann:hidden-word@open-webui:8080";
  const auto files = make_files(options);
  REQUIRE_FALSE(files);
  CHECK(files.failure().reason == Reason::invalid);
  CHECK(files.failure().message.find("hidden-word") == std::string::npos);
}
