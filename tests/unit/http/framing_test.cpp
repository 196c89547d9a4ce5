#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "unit/http/client.hpp"

using namespace codebox::http;
using namespace codebox::http::test;

namespace {

struct Malformed {
  const char* what;
  std::string bytes;
  int status;
};

std::string with(const std::string& fields) {
  return "POST /first HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
}

}  // namespace

TEST_CASE("a request whose framing is doubtful is refused and nothing after it runs") {
  const std::string hidden = get("/smuggled");
  const auto bad = GENERATE_COPY(values<Malformed>({
      {"length and chunks",
       with("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n" + hidden, 400},
      {"two lengths", with("Content-Length: 0\r\nContent-Length: 5\r\n") + hidden, 400},
      {"two equal lengths", with("Content-Length: 0\r\nContent-Length: 0\r\n") + hidden, 400},
      {"a list of lengths", with("Content-Length: 0, 0\r\n") + hidden, 400},
      {"a negative length", with("Content-Length: -1\r\n") + hidden, 400},
      {"a length with a sign", with("Content-Length: +5\r\n") + hidden, 400},
      {"a length with letters", with("Content-Length: 5x\r\n") + hidden, 400},
      {"no length", with("") + hidden, 411},
      {"other encodings", with("Transfer-Encoding: gzip, chunked\r\n") + hidden, 400},
      {"chunked twice", with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n") + hidden, 400},
      {"space before the colon", with("Content-Length : 0\r\n") + hidden, 400},
      {"a folded line", with("X-A: b\r\n c\r\nContent-Length: 0\r\n") + hidden, 400},
      {"a NUL", with(std::string("X-A: b\0c\r\n", 10) + "Content-Length: 0\r\n") + hidden, 400},
      {"a bare LF", "GET / HTTP/1.1\nHost: h\n\n" + hidden, 400},
      {"a bare CR", with("X-A: b\rc\r\nContent-Length: 0\r\n") + hidden, 400},
      {"no host", "GET / HTTP/1.1\r\n\r\n" + hidden, 400},
      {"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + hidden, 400},
      {"a bad method", "G(T / HTTP/1.1\r\nHost: h\r\n\r\n" + hidden, 400},
      {"a target without slash", "GET x HTTP/1.1\r\nHost: h\r\n\r\n" + hidden, 400},
      {"a target with spaces", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n" + hidden, 400},
      {"no version", "GET /\r\nHost: h\r\n\r\n" + hidden, 400},
      {"another version", "PRI * HTTP/2.0\r\n\r\n" + hidden, 505},
      {"chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden, 400},
      {"a long target", "GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n" + hidden, 414},
      {"an unknown expectation", with("Content-Length: 0\r\nExpect: gold\r\n") + hidden, 417},
      {"too large a length", with("Content-Length: 99999999\r\n") + hidden, 413},
      {"an endless length", with("Content-Length: 99999999999999999999999\r\n") + hidden, 413},
      {"a chunk size of letters", with("Transfer-Encoding: chunked\r\n") + "xyz\r\n" + hidden, 400},
      {"a negative chunk size", with("Transfer-Encoding: chunked\r\n") + "-1\r\n" + hidden, 400},
      {"a chunk size that overflows",
       with("Transfer-Encoding: chunked\r\n") + "FFFFFFFFFFFFFFFFF\r\n" + hidden, 400},
      {"a chunk that is too long",
       with("Transfer-Encoding: chunked\r\n") + "3\r\nabcdef\r\n0\r\n\r\n" + hidden, 400},
      {"a huge chunk", with("Transfer-Encoding: chunked\r\n") + "FFFFFFFFFFFFFFFF\r\n" + hidden, 413},
  }));
  INFO(bad.what);
  Site site;
  const auto server = start(local(), site);
  Client client(server->port());
  client.send(bad.bytes);
  const Answer answer = client.read();
  CHECK(answer.status == bad.status);
  CHECK(answer.has("Connection: close\r\n"));
  CHECK(answer.body.find(R"("error":{)") != std::string::npos);
  CHECK(client.is_closed());
  CHECK(site.handled == 0);
}

TEST_CASE("a head with too many or too long fields gets 431") {
  Site site;
  const auto server = start(local(), site);
  std::string many;
  for (int i = 0; i < 101; ++i) many += "X-Field: 1\r\n";
  const std::string fields = GENERATE_COPY(many, std::string("X-Long: ") + std::string(70'000, 'x') + "\r\n");
  Client client(server->port());
  client.send(get("/", fields));
  const Answer answer = client.read();
  CHECK(answer.status == 431);
  CHECK(answer.has(" 431 Request Header Fields Too Large\r\n"));
  CHECK(client.is_closed());
}

TEST_CASE("a body that looks like a request is a body") {
  Site site;
  const auto server = start(local(), site);
  Client client(server->port());
  client.send(post("/real", get("/smuggled")) + get("/next"));
  CHECK(client.read().body == "POST /real " + get("/smuggled"));
  CHECK(client.read().body == "GET /next ");
  CHECK(site.handled == 2);
}

TEST_CASE("a refused request's body never runs as the next request") {
  Site site;
  site.on_refuse = [](const Request& head) -> std::optional<Response> {
    if (head.path != "/refused") return {};
    Response response;
    response.status = 401;
    return response;
  };
  const auto server = start(local(), site);
  Client client(server->port());
  const std::string fields = GENERATE("", "Transfer-Encoding: chunked\r\n");
  if (fields.empty()) {
    client.send(post("/refused", get("/smuggled")));
  } else {
    client.send("POST /refused HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n" + get("/smuggled"));
  }
  CHECK(client.read().status == 401);
  client.send(get("/next"));
  const Answer next = client.read();
  CHECK(next.body == (fields.empty() ? "GET /next " : ""));
  CHECK(site.handled == (fields.empty() ? 1 : 0));
}

TEST_CASE("header values arrive as they were sent") {
  Site site;
  site.on_handle = [](const Request& request, Heartbeat&) {
    Response response;
    response.body = request.header("x-name") + "|" + std::to_string(request.count("X-TWICE")) + "|" +
                    request.path + "|" + request.query + "|" + request.peer;
    return response;
  };
  const auto server = start(local(), site);
  Client client(server->port());
  client.send(get("/a%20b?c=d?e", "X-Name: \t =?utf-8?B?YWRtaW4=?= \r\nX-Twice: 1\r\nx-twice: 2\r\n"));
  CHECK(client.read().body == "=?utf-8?B?YWRtaW4=?=|2|/a%20b|c=d?e|127.0.0.1");
}
