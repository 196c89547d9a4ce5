#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <iterator>
#include <memory>
#include <thread>

#include "base/clock.hpp"
#include "unit/http/client.hpp"

using namespace codebox::http;
using namespace codebox::http::test;

namespace {

Options beating() {
  Options options = local();
  options.beat_after = std::chrono::milliseconds(20);
  options.beat_every = std::chrono::milliseconds(20);
  return options;
}

/// How many threads this process has.
std::ptrdiff_t threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

}  // namespace

TEST_CASE("a long call beats until its answer comes") {
  Site site;
  Gate release;
  site.on_handle = [&](const Request& request, Heartbeat& heartbeat) {
    heartbeat.may_begin("application/json", " ");
    if (request.path == "/long") release.wait();
    Response response;
    response.status = 400;
    response.body = R"({"ok":true})";
    return response;
  };
  Options options = beating();
  const auto server = start(options, site);
  Client client(server->port());
  client.send(post("/long", ""));
  // A chunk with one space, again and again.
  REQUIRE(client.sees("\r\n\r\n1\r\n \r\n1\r\n \r\n1\r\n \r\n"));
  release.open();
  const Answer answer = client.read();
  CHECK(answer.status == 200);
  CHECK(answer.has("Content-Type: application/json\r\n"));
  CHECK(answer.has("X-Content-Type-Options: nosniff\r\n"));
  const std::size_t start_of_json = answer.body.find('{');
  CHECK(start_of_json >= 3);
  CHECK(answer.body.substr(start_of_json) == R"({"ok":true})");
  CHECK(std::all_of(answer.body.begin(), answer.body.begin() + static_cast<std::ptrdiff_t>(start_of_json),
                    [](char c) { return c == ' '; }));
  client.send(get("/next"));
  CHECK(client.read().body.find(R"({"ok":true})") != std::string::npos);
}

TEST_CASE("a quick answer keeps its own status though beats were allowed") {
  Site site;
  site.on_handle = [](const Request&, Heartbeat& heartbeat) {
    heartbeat.may_begin("application/json", " ");
    Response response;
    response.status = 404;
    return response;
  };
  const auto server = start(local(), site);
  Client client(server->port());
  client.send(get("/"));
  CHECK(client.read().status == 404);
}

TEST_CASE("an HTTP/1.0 client gets no beats") {
  Site site;
  site.on_handle = [](const Request& request, Heartbeat& heartbeat) {
    heartbeat.may_begin("application/json", " ");
    const codebox::Time end = codebox::SystemClock().now() + std::chrono::milliseconds(200);
    while (codebox::SystemClock().now() < end && !request.gone.stop_requested()) std::this_thread::yield();
    Response response;
    response.body = "{}";
    return response;
  };
  const auto server = start(beating(), site);
  Client client(server->port());
  client.send("GET / HTTP/1.0\r\n\r\n");
  const Answer answer = client.read();
  CHECK(answer.has("Content-Length: 2\r\n"));
  CHECK(answer.body == "{}");
}

TEST_CASE("a client that leaves fires the request's token") {
  Site site;
  Gate begun;
  Gate noticed;
  Gate never;
  site.on_handle = [&](const Request& request, Heartbeat&) {
    begun.open();
    if (never.stopped(request.gone)) noticed.open();
    return Response{};
  };
  const auto server = start(local(), site);
  Client client(server->port());
  // What it sent before it left lies unread.
  client.send(post("/", "x") + get("/pipelined"));
  REQUIRE(begun.wait());
  client.close();
  CHECK(noticed.wait());
}

TEST_CASE("stopping fires the tokens and lets handlers answer") {
  Site site;
  Gate begun;
  Gate never;
  site.on_handle = [&](const Request& request, Heartbeat&) {
    begun.open();
    Response response;
    response.body = never.stopped(request.gone) ? "stopped" : "not stopped";
    return response;
  };
  const auto server = start(local(), site);
  Client client(server->port());
  Client idle(server->port());
  client.send(get("/"));
  REQUIRE(begun.wait());
  server->stop(patience);
  CHECK(client.read().body == "stopped");
  CHECK(client.is_closed());
  CHECK(idle.is_closed());
  server->stop(patience);
}

TEST_CASE("a client that does not read does not hold up stopping") {
  Site site;
  site.on_handle = [](const Request&, Heartbeat&) {
    Response response;
    response.body = std::string(32U << 20, 'x');
    return response;
  };
  Options options = local();
  options.send_timeout = std::chrono::seconds(3600);
  const auto server = start(options, site);
  Client stuck(server->port(), 4096);
  stuck.send(get("/"));
  REQUIRE(stuck.sees("HTTP/1.1 200"));
  Client uploading(server->port());
  uploading.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n");
  REQUIRE(uploading.read(true).status == 100);
  const codebox::Time before = codebox::SystemClock().now();
  server->stop(std::chrono::milliseconds(100));
  CHECK(codebox::SystemClock().now() - before < std::chrono::seconds(20));
}

TEST_CASE("a handler that ignores everything is left behind") {
  Site site;
  auto begun = std::make_shared<Gate>();
  auto release = std::make_shared<Gate>();
  auto ended = std::make_shared<Gate>();
  std::thread([] {}).join();  // a sanitizer starts a thread of its own with the first of ours
  const std::ptrdiff_t before = threads();
  site.on_handle = [=](const Request&, Heartbeat&) {
    begun->open();
    release->wait();
    ended->open();
    return Response{};
  };
  auto server = start(local(), site);
  Client client(server->port());
  client.send(get("/"));
  REQUIRE(begun->wait());
  server->stop(std::chrono::milliseconds(0));
  server.reset();
  CHECK(client.is_closed());
  release->open();
  CHECK(ended->wait());
  // Its thread ends on its own; the site must outlive it.
  const codebox::Time end = codebox::SystemClock().now() + patience;
  while (threads() > before && codebox::SystemClock().now() < end) std::this_thread::yield();
  CHECK(threads() == before);
}

TEST_CASE("a second server on the same port is refused with a reason") {
  Site site;
  const auto server = start(local(), site);
  Options options = local();
  options.port = server->port();
  const auto second = serve(options, site);
  REQUIRE_FALSE(second);
  CHECK(second.failure().message.find(std::to_string(server->port())) != std::string::npos);
}

TEST_CASE("what is said while a call runs arrives at once, in front of its answer") {
  Site site;
  Gate release;
  site.on_handle = [&](const Request&, Heartbeat& heartbeat) {
    CHECK(heartbeat.say("text/event-stream", "data: 1\n\n", ": beat\n\n"));
    CHECK_FALSE(heartbeat.say("application/json", "{}", " "));
    release.wait();
    CHECK(heartbeat.say("text/event-stream", "data: 2\n\n", ": beat\n\n"));
    Response response;
    response.content_type = "text/event-stream";
    response.body = "data: 3\n\n";
    return response;
  };
  const auto server = start(local(), site);
  Client client(server->port());
  client.send(post("/", ""));
  REQUIRE(client.sees("\r\n\r\n9\r\ndata: 1\n\n\r\n"));
  release.open();
  const Answer answer = client.read();
  CHECK(answer.has("Content-Type: text/event-stream\r\n"));
  CHECK(answer.has("X-Accel-Buffering: no\r\n"));
  CHECK(answer.body == "data: 1\n\ndata: 2\n\ndata: 3\n\n");
}

TEST_CASE("nothing can be said to an HTTP/1.0 client, which gets its answer alone") {
  Site site;
  site.on_handle = [](const Request&, Heartbeat& heartbeat) {
    CHECK_FALSE(heartbeat.say("text/event-stream", "data: 1\n\n", ": beat\n\n"));
    Response response;
    response.body = "{}";
    return response;
  };
  const auto server = start(local(), site);
  Client client(server->port());
  client.send("GET / HTTP/1.0\r\n\r\n");
  CHECK(client.read().body == "{}");
}
