#include "http/head.hpp"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "http/answer.hpp"

using namespace codebox::http;

namespace {

const std::string whole = "POST /a?b HTTP/1.1\r\nHost: h\r\nX: y\r\nContent-Length: 3\r\n\r\n";

std::variant<Head, Problem> parse(const std::string& bytes) {
  return parse_head(bytes, 100);
}

Head good(const std::string& bytes) {
  const auto parsed = parse(bytes);
  REQUIRE(std::holds_alternative<Head>(parsed));
  return std::get<Head>(parsed);
}

}  // namespace

TEST_CASE("the end of a head is found however it is cut") {
  for (const std::string& before : {std::string(), std::string("\r\n\r\n")}) {
    const std::string bytes = before + whole + "abc" + whole;
    std::size_t scanned = 0;
    for (std::size_t size = 0; size < before.size() + whole.size(); ++size) {
      REQUIRE(head_end(std::string_view(bytes).substr(0, size), &scanned) == std::string::npos);
    }
    CHECK(head_end(bytes, &scanned) == before.size() + whole.size());
    scanned = 0;
    CHECK(head_end(bytes, &scanned) == before.size() + whole.size());
  }
}

TEST_CASE("a head that ends with bare line feeds is found, to be refused") {
  std::size_t scanned = 0;
  CHECK(head_end("GET / HTTP/1.1\nHost: h\n\nrest", &scanned) == 24);
  CHECK(std::get<Problem>(parse("GET / HTTP/1.1\nHost: h\n\n")).status == 400);
}

TEST_CASE("a head says how its body is framed") {
  CHECK(good(whole).length == 3);
  CHECK_FALSE(good(whole).chunked);
  CHECK(good("\r\n" + whole).request.path == "/a");
  const Head chunked = good("POST / HTTP/1.1\r\nHost: h\r\ntransfer-encoding: Chunked\r\n\r\n");
  CHECK(chunked.chunked);
  CHECK(chunked.has_body());
  CHECK_FALSE(good("DELETE /x HTTP/1.1\r\nHost: h\r\n\r\n").has_body());
  CHECK(good("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n").length == 100);
  CHECK(std::get<Problem>(parse("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 101\r\n\r\n")).status == 413);
}

TEST_CASE("a field that decides who calls or what comes stands at most once") {
  const std::string start = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n";
  for (const std::string name : {"Authorization", "content-type", "ORIGIN"}) {
    INFO(name);
    CHECK(good(start + name + ": a\r\n\r\n").request.count(name) == 1);
    const auto twice = parse(start + name + ": a\r\n" + name + ": a\r\n\r\n");
    REQUIRE(std::holds_alternative<Problem>(twice));
    CHECK(std::get<Problem>(twice).status == 400);
  }
}

TEST_CASE("a body is plain") {
  const std::string start = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Encoding: ";
  CHECK(good(start + "Identity\r\n\r\n").length == 3);
  const auto packed = parse(start + "gzip\r\n\r\n");
  REQUIRE(std::holds_alternative<Problem>(packed));
  CHECK(std::get<Problem>(packed).status == 415);
  CHECK(std::get<Problem>(packed).message ==
        "A body encoded by \"gzip\" is not read here: send it plain, without Content-Encoding.");
}

TEST_CASE("targets are paths, whole addresses or a star") {
  const auto path = [](const std::string& line) {
    return good(line + " HTTP/1.1\r\nHost: h\r\n\r\n").request.path;
  };
  CHECK(path("GET /mcp/?x=1") == "/mcp/");
  CHECK(path("GET http://other:80/mcp?x") == "/mcp");
  CHECK(path("GET http://other") == "/");
  CHECK(path("OPTIONS *") == "*");
  for (const std::string line :
       {"GET *", "GET /a#b", "GET ftp://x/", "CONNECT h:1", "GET /\x7f", "GET /\xc3\xa9"}) {
    CHECK(std::get<Problem>(parse(line + " HTTP/1.1\r\nHost: h\r\n\r\n")).status == 400);
  }
}

TEST_CASE("a damaged head is refused or still has one meaning") {
  std::mt19937 random(1);
  const auto below = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  };
  const std::string alphabet("\r\n\0\t :;,-+09axz/?#*\x80\xff", 21);
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = whole;
    for (std::size_t change = 0; change <= below(3); ++change)
      bytes[below(bytes.size())] = alphabet[below(21)];
    const auto parsed = parse(bytes + "\r\n\r\n");
    if (const auto* problem = std::get_if<Problem>(&parsed)) {
      REQUIRE(problem->status >= 400);
      REQUIRE(problem->message.ends_with('.'));
      continue;
    }
    ++accepted;
    const Head& head = std::get<Head>(parsed);
    REQUIRE(head.request.count("Content-Length") <= 1);
    REQUIRE((head.request.path.starts_with('/') || head.request.path == "*"));
    for (const auto& [name, value] : head.request.headers) {
      REQUIRE(name.find_first_of(" \t\r\n:") == std::string::npos);
      REQUIRE(value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
    }
  }
  CHECK(accepted > 0);
}

TEST_CASE("an answer's head names length, type and reason") {
  Response response;
  response.status = 429;
  const std::string text = answer_head(response, 5, true);
  CHECK(text.starts_with("HTTP/1.1 429 Too Many Requests\r\n"));
  CHECK(text.find("\r\nContent-Length: 5\r\n") != std::string::npos);
  CHECK(text.find("\r\nConnection: close\r\n") != std::string::npos);
  CHECK(text.ends_with("\r\n\r\n"));
  CHECK(chunk("") == "");
  CHECK(chunk(std::string(26, 'x')) == "1a\r\n" + std::string(26, 'x') + "\r\n");
}
