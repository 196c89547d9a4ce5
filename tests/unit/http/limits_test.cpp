#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "unit/http/client.hpp"

using namespace codebox::http;
using namespace codebox::http::test;

TEST_CASE("clients that send nothing or half a head hold no thread") {
  Site site;
  Options options = local();
  options.threads = 1;
  options.head_timeout = patience;
  const auto server = start(options, site);
  std::vector<std::unique_ptr<Client>> slow;
  for (int i = 0; i < 50; ++i) {
    slow.push_back(std::make_unique<Client>(server->port()));
    if (i % 2 == 0) slow.back()->send("POST / HTTP/1.1\r\nHost:");
  }
  Client quick(server->port());
  quick.send(get("/quick"));
  CHECK(quick.read().body == "GET /quick ");
  slow.front()->send(" h\r\nContent-Length: 2\r\n\r");
  slow.front()->send("\nok");
  CHECK(slow.front()->read().body == "POST / ok");
}

TEST_CASE("a head that trickles in ends with the head's time") {
  Site site;
  Options options = local();
  options.head_timeout = std::chrono::seconds(1);
  const auto server = start(options, site);
  Client silent(server->port());
  Client slow(server->port());
  slow.send("GET / HT");
  CHECK(silent.is_closed());
  CHECK(slow.read().status == 408);
  CHECK(slow.is_closed());
}

TEST_CASE("a connection without a next request is closed") {
  Site site;
  Options options = local();
  options.idle_timeout = std::chrono::seconds(1);
  const auto server = start(options, site);
  Client client(server->port());
  client.send(get("/"));
  CHECK(client.read().status == 200);
  CHECK(client.is_closed());
}

TEST_CASE("a body that does not come gets 408") {
  Site site;
  Options options = local();
  options.body_timeout = std::chrono::seconds(1);
  const auto server = start(options, site);
  Client client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc");
  CHECK(client.read().status == 408);
  CHECK(client.is_closed());
}

TEST_CASE("requests beyond the threads and the queue get 503 at once") {
  Site site;
  Gate begun;
  Gate release;
  site.on_handle = [&](const Request&, Heartbeat&) {
    begun.open();
    release.wait();
    return Response{};
  };
  Options options = local();
  options.threads = 1;
  options.queue = 1;
  options.queue_timeout = std::chrono::seconds(60);
  const auto server = start(options, site);
  Client first(server->port());
  first.send(get("/"));
  REQUIRE(begun.wait());
  // One of the two waits in the queue, whichever came first; the other is told.
  Client second(server->port());
  second.send(get("/"));
  Client third(server->port());
  third.send(get("/"));
  const codebox::Time end = codebox::SystemClock().now() + patience;
  while (!second.has_input() && !third.has_input() && codebox::SystemClock().now() < end) {
    std::this_thread::yield();
  }
  Client& told = second.has_input() ? second : third;
  Client& queued = second.has_input() ? third : second;
  const Answer answer = told.read();
  CHECK(answer.has("HTTP/1.1 503 Service Unavailable\r\n"));
  CHECK(answer.has("Retry-After: "));
  CHECK(answer.body.find("busy") != std::string::npos);
  CHECK(told.is_closed());
  release.open();
  CHECK(first.read().status == 200);
  CHECK(queued.read().status == 200);
}

TEST_CASE("a request that waits too long for a thread gets 503") {
  Site site;
  Gate begun;
  Gate release;
  site.on_handle = [&](const Request&, Heartbeat&) {
    begun.open();
    release.wait();
    return Response{};
  };
  Options options = local();
  options.threads = 1;
  options.queue_timeout = std::chrono::milliseconds(300);
  const auto server = start(options, site);
  Client first(server->port());
  first.send(get("/"));
  REQUIRE(begun.wait());
  Client second(server->port());
  second.send(get("/"));
  CHECK(second.read().status == 503);
  release.open();
  CHECK(first.read().status == 200);
}

TEST_CASE("a connection too many gets 503, and one less makes room") {
  Site site;
  Options options = local();
  options.connections = 3;
  const auto server = start(options, site);
  std::vector<std::unique_ptr<Client>> held;
  for (int i = 0; i < 3; ++i) {
    held.push_back(std::make_unique<Client>(server->port()));
    held.back()->send(get("/"));
    REQUIRE(held.back()->read().status == 200);
  }
  Client extra(server->port());
  const Answer answer = extra.read();
  CHECK(answer.status == 503);
  CHECK(answer.has("Connection: close\r\n"));
  CHECK(extra.is_closed());
  extra.close();
  held.clear();
  int status = 0;
  for (const codebox::Time end = codebox::SystemClock().now() + patience;
       status != 200 && codebox::SystemClock().now() < end;) {
    Client later(server->port());
    later.send(get("/"));
    status = later.read().status;
  }
  CHECK(status == 200);
}

TEST_CASE("a client that does not read its answer is given up") {
  Site site;
  site.on_handle = [&](const Request& request, Heartbeat&) {
    Response response;
    if (request.path == "/large") response.body = std::string(32U << 20, 'x');
    return response;
  };
  Options options = local();
  options.threads = 1;
  options.send_timeout = std::chrono::seconds(1);
  options.queue_timeout = std::chrono::seconds(60);
  const auto server = start(options, site);
  Client stuck(server->port(), 4096);
  stuck.send(get("/large"));
  REQUIRE(stuck.sees("HTTP/1.1 200"));
  Client next(server->port());
  next.send(get("/small"));
  CHECK(next.read().status == 200);
}
