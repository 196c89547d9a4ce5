#include <atomic>
#include <thread>

#include "fixture.hpp"

using namespace codebox;
using namespace codebox::openwebui;
using namespace codebox::openwebui::test;

namespace {

RemoteFile remote(std::uint64_t size) {
  return {.id = id, .name = "a.csv", .content_type = "text/csv", .size = size};
}

Result<std::uint64_t> fetched(const WebServer::Handler& handler, std::uint64_t size, std::uint64_t limit,
                              std::string* text = nullptr, std::chrono::milliseconds patience = 30s) {
  const WebServer server(handler);
  TextSink bytes;
  auto moved =
      files_at(server.url())
          ->download(ann(), remote(size), limit, bytes, std::chrono::steady_clock::now() + patience, {});
  if (text != nullptr) *text = bytes.text;
  return moved;
}

}  // namespace

TEST_CASE("a file comes down whole") {
  const std::string content(300000, 'x');
  std::string got;
  const auto moved =
      fetched([&](const WebRequest&, const WebConnection& connection) { connection.reply(200, content); },
              content.size(), content.size(), &got);
  REQUIRE(moved);
  CHECK(*moved == content.size());
  CHECK(got == content);
}

TEST_CASE("a chunked file comes down whole") {
  std::string got;
  const auto moved = fetched(
      [](const WebRequest&, const WebConnection& connection) {
        connection.send(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
      },
      5, 100, &got);
  REQUIRE(moved);
  CHECK(got == "abcde");
}

TEST_CASE("a file that is over the limit is not fetched at all") {
  const WebServer server(
      [](const WebRequest&, const WebConnection& connection) { connection.reply(200, "x"); });
  TextSink bytes;
  const auto moved = files_at(server.url())->download(ann(), remote(101), 100, bytes, soon(), {});
  REQUIRE_FALSE(moved);
  CHECK(moved.failure().reason == Reason::too_large);
  CHECK(server.requests().empty());
}

TEST_CASE("a file that grows beyond the limit on its way is cut off, announced or not") {
  const std::string much(500000, 'x');
  std::string got;
  const auto announced =
      fetched([&](const WebRequest&, const WebConnection& connection) { connection.reply(200, much); }, 10,
              100000, &got);
  REQUIRE_FALSE(announced);
  CHECK(announced.failure().reason == Reason::too_large);
  CHECK(got.empty());
  const auto silent = fetched(
      [&](const WebRequest&, const WebConnection& connection) {
        connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + much);
      },
      10, 100000, &got);
  REQUIRE_FALSE(silent);
  CHECK(silent.failure().reason == Reason::too_large);
  CHECK(got.size() <= 100000);
}

TEST_CASE("a transfer that ends early is no success") {
  const auto lying = fetched(
      [](const WebRequest&, const WebConnection& connection) {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nabc");
      },
      50, 100);
  REQUIRE_FALSE(lying);
  CHECK(lying.failure().reason == Reason::offline);
  const auto chunked = fetched(
      [](const WebRequest&, const WebConnection& connection) {
        connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nabc");
      },
      16, 100);
  REQUIRE_FALSE(chunked);
  const auto shorter = fetched(
      [](const WebRequest&, const WebConnection& connection) { connection.reply(200, "abc"); }, 50, 100);
  REQUIRE_FALSE(shorter);
}

TEST_CASE("a server that hangs up, or speaks no HTTP, is one sentence") {
  for (const char* said : {"", "SSH-2.0-x\r\n", "HTTP/1.1 200 OK\r\nX",
                           "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                           "Content-Length: 1\r\n\r\nx"}) {
    INFO(said);
    const auto moved = fetched(
        [said](const WebRequest&, const WebConnection& connection) { connection.send(said); }, 10, 100);
    REQUIRE_FALSE(moved);
    CHECK(moved.failure().reason == Reason::offline);
    CHECK(moved.failure().message.find('\n') == std::string::npos);
  }
}

TEST_CASE("endless headers are not swallowed") {
  const auto moved = fetched(
      [](const WebRequest&, const WebConnection& connection) {
        connection.send("HTTP/1.1 200 OK\r\n");
        for (int i = 0; i < 20000; ++i) connection.send("X-" + std::to_string(i) + ": y\r\n");
      },
      10, 100);
  REQUIRE_FALSE(moved);
}

TEST_CASE("a server that sends a little now and then is left at the deadline") {
  const auto start = std::chrono::steady_clock::now();
  const auto moved = fetched(
      [](const WebRequest&, const WebConnection& connection) {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
        for (int i = 0; i < 1000 && !connection.wait_for_close(100ms); ++i) connection.send("x");
      },
      1000, 1000, nullptr, 500ms);
  REQUIRE_FALSE(moved);
  CHECK(moved.failure().reason == Reason::timeout);
  CHECK(std::chrono::steady_clock::now() - start < 20s);
}

TEST_CASE("a cancelled transfer ends at once and closes its connection") {
  std::atomic<bool> asked{false};
  std::atomic<bool> closed{false};
  const WebServer server([&](const WebRequest&, const WebConnection& connection) {
    asked = true;
    closed = connection.wait_for_close(20s);
  });
  std::stop_source stop;
  std::thread canceller([&] {
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!asked && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    stop.request_stop();
  });
  TextSink bytes;
  const auto moved =
      files_at(server.url())->download(ann(), remote(10), 100, bytes, soon(), stop.get_token());
  canceller.join();
  REQUIRE_FALSE(moved);
  CHECK(moved.failure().reason == Reason::cancelled);
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!closed && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  CHECK(closed);
}

TEST_CASE("nobody at the address is one sentence that names the setting") {
  std::string url;
  {
    url = WebServer([](const WebRequest&, const WebConnection&) {}).url();
  }
  TextSink bytes;
  const auto moved = files_at(url)->download(ann(), remote(1), 100, bytes, soon(), {});
  REQUIRE_FALSE(moved);
  CHECK(moved.failure().reason == Reason::offline);
  CHECK(moved.failure().message.find("OWUI_BASE_URL") != std::string::npos);
  CHECK(moved.failure().message.find("ann.token") == std::string::npos);
}
