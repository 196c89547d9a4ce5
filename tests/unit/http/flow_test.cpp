#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "unit/http/client.hpp"

using namespace codebox::http;
using namespace codebox::http::test;

TEST_CASE("two requests go over one connection") {
  Site site;
  const auto server = start(local(), site);
  Client client(server->port());
  client.send(post("/one", "first"));
  const Answer one = client.read();
  CHECK(one.status == 200);
  CHECK(one.body == "POST /one first");
  CHECK(one.has("HTTP/1.1 200 OK\r\n"));
  CHECK(one.has("Content-Type: application/json\r\n"));
  CHECK(one.has("X-Content-Type-Options: nosniff\r\n"));
  CHECK(one.has("Date: "));
  client.send(get("/two"));
  CHECK(client.read().body == "GET /two ");
}

TEST_CASE("pipelined requests are answered in order") {
  Site site;
  const auto server = start(local(), site);
  Client client(server->port());
  std::string all;
  for (int i = 0; i < 50; ++i) all += post("/" + std::to_string(i), "x");
  client.send(all);
  for (int i = 0; i < 50; ++i) CHECK(client.read().body == "POST /" + std::to_string(i) + " x");
}

TEST_CASE("the connection ends where the client asks for it") {
  Site site;
  const auto server = start(local(), site);
  Client modern(server->port());
  modern.send(get("/", "Connection: keep-alive, Close\r\n"));
  CHECK(modern.read().has("Connection: close\r\n"));
  CHECK(modern.is_closed());
  Client old(server->port());
  old.send("GET /old HTTP/1.0\r\n\r\n");
  CHECK(old.read().body == "GET /old ");
  CHECK(old.is_closed());
}

TEST_CASE("a chunked body arrives whole, and the connection goes on") {
  Site site;
  const auto server = start(local(), site);
  Client client(server->port());
  client.send("POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
  client.send("A;name=value\r\n0123456789\r\n0\r\nX-Trailer: 1\r\n\r\n" + get("/next"));
  CHECK(client.read().body == "POST /c abc0123456789");
  CHECK(client.read().body == "GET /next ");
}

TEST_CASE("a chunked body of single bytes arrives piece by piece") {
  Site site;
  const auto server = start(local(), site);
  Client client(server->port());
  std::string chunks = "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 50'000; ++i) chunks += "1\r\nx\r\n";
  for (const char byte : std::string("1\r\ny\r\n0\r\n\r")) {
    client.send(chunks);
    chunks = byte;
  }
  client.send(chunks + "\n" + get("/next"));
  CHECK((client.read().body == "POST /c " + std::string(50'000, 'x') + "y"));
  CHECK(client.read().body == "GET /next ");
}

TEST_CASE("what comes behind a large body is the next request") {
  Site site;
  const auto server = start(local(), site);
  Client client(server->port());
  for (const std::size_t size : {65'000U, 65'536U, 65'537U, 300'000U}) {
    const std::string large(size, 'x');
    client.send(post("/large", large) + get("/next"));
    CHECK((client.read().body == "POST /large " + large));
    CHECK(client.read().body == "GET /next ");
  }
  client.send("POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n30D40\r\n" +
              std::string(200'000, 'y') + "\r\n3\r\nabc\r\n0\r\n\r\n" + get("/next"));
  CHECK((client.read().body == "POST /c " + std::string(200'000, 'y') + "abc"));
  CHECK(client.read().body == "GET /next ");
}

TEST_CASE("a chunked body over the limit gets 413") {
  Site site;
  Options options = local();
  options.max_body = 100;
  const auto server = start(options, site);
  Client client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n" +
              std::string(64, 'a') + "\r\n40\r\n");
  const Answer answer = client.read();
  CHECK(answer.status == 413);
  CHECK(answer.body.find("100 B") != std::string::npos);
  CHECK(site.handled == 0);
}

TEST_CASE("a body is invited only after the head was accepted") {
  Site site;
  site.on_refuse = [](const Request& head) -> std::optional<Response> {
    Response response;
    response.status = 401;
    return head.header("Authorization").empty() ? std::optional(response) : std::nullopt;
  };
  const auto server = start(local(), site);
  const std::string head = "POST /e HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n";
  Client stranger(server->port());
  stranger.send(head + "\r\n");
  CHECK(stranger.read().status == 401);
  Client known(server->port());
  known.send(head + "Authorization: x\r\n\r\n");
  CHECK(known.read(true).status == 100);
  known.send("body");
  CHECK(known.read().body == "POST /e body");
}

TEST_CASE("a client with a large unread body still sees why it was refused") {
  Site site;
  site.on_refuse = [](const Request&) -> std::optional<Response> {
    Response response;
    response.status = 401;
    response.body = "who are you";
    return response;
  };
  const auto server = start(local(), site);
  for (int i = 0; i < 20; ++i) {
    Client client(server->port());
    client.send(post("/", std::string(300'000, 'x')));
    const Answer answer = client.read();
    CHECK(answer.status == 401);
    CHECK(answer.body == "who are you");
  }
}

TEST_CASE("HEAD, 202 and 204 have no body") {
  Site site;
  site.on_handle = [](const Request& request, Heartbeat&) {
    Response response;
    if (request.path == "/202") response.status = 202;
    if (request.path == "/204") response.status = 204;
    if (request.path == "/") response.body = "12345";
    return response;
  };
  const auto server = start(local(), site);
  Client client(server->port());
  client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
  CHECK(client.read(true).has("Content-Length: 5\r\n"));
  client.send(get("/202"));
  const Answer accepted = client.read();
  CHECK(accepted.has("HTTP/1.1 202 Accepted\r\n"));
  CHECK(accepted.has("Content-Length: 0\r\n"));
  CHECK_FALSE(accepted.has("\r\nContent-Type:"));
  client.send(get("/204"));
  CHECK_FALSE(client.read().has("Content-Length"));
  client.send(get("/"));
  CHECK(client.read().body == "12345");
}

TEST_CASE("a handler that throws is a 500 and the connection goes on") {
  Site site;
  site.on_handle = [](const Request& request, Heartbeat&) -> Response {
    if (request.path == "/std") throw std::runtime_error("secret detail");
    if (request.path == "/int") throw 7;
    return {};
  };
  const auto server = start(local(), site);
  Client client(server->port());
  for (const char* path : {"/std", "/int"}) {
    client.send(get(path));
    const Answer answer = client.read();
    CHECK(answer.has("HTTP/1.1 500 Internal Server Error\r\n"));
    CHECK(answer.body.find(R"("error":{)") != std::string::npos);
    CHECK(answer.body.find("secret detail") == std::string::npos);
  }
  client.send(get("/fine"));
  CHECK(client.read().status == 200);
}

TEST_CASE("a header field from a handler cannot end the head") {
  Site site;
  site.on_handle = [](const Request&, Heartbeat&) {
    Response response;
    response.headers = {{"X-Bad", "a\r\nX-Injected: 1"}, {"X-Good", "b"}, {"Content-Length", "9"}};
    return response;
  };
  const auto server = start(local(), site);
  Client client(server->port());
  client.send(get("/"));
  const Answer answer = client.read();
  CHECK(answer.has("X-Good: b\r\n"));
  CHECK_FALSE(answer.has("X-Injected"));
  CHECK_FALSE(answer.has("Content-Length: 9"));
}

TEST_CASE("a large file is streamed") {
  std::string folder = (std::filesystem::temp_directory_path() / "http_test_XXXXXX").string();
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const std::string path = folder + "/file";
  std::string content;
  for (int i = 0; content.size() < (8U << 20); ++i) content += std::to_string(i) + "\n";
  std::ofstream(path, std::ios::binary) << content;

  Site site;
  site.on_handle = [&](const Request& request, Heartbeat&) {
    Response response;
    response.content_type = "application/octet-stream";
    response.file = request.path == "/missing" ? path + ".no" : path;
    return response;
  };
  const auto server = start(local(), site);
  Client client(server->port());
  client.send(get("/file"));
  const Answer answer = client.read();
  CHECK(answer.status == 200);
  CHECK((answer.body == content));
  client.send("HEAD /file HTTP/1.1\r\nHost: h\r\n\r\n");
  CHECK(client.read(true).has("Content-Length: " + std::to_string(content.size())));
  client.send(get("/missing"));
  CHECK(client.read().status == 404);
  std::filesystem::remove_all(folder);
}
