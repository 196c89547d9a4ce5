#include <catch2/catch_test_macros.hpp>

#include "unit/mcp/desk.hpp"

using namespace codebox::test;

namespace {

json initialize(const json& version) {
  return Desk::request("initialize", {{"protocolVersion", version},
                                      {"capabilities", json::object()},
                                      {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
}

}  // namespace

TEST_CASE("initialize echoes a version that is known and offers the newest of its era for any other") {
  Desk desk;
  for (const char* version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    const auto answer = desk.post(Desk::plain_headers(), initialize(version).dump());
    CHECK(answer.status == 200);
    CHECK(answer.headers.empty());
    CHECK(body(answer).at("result").at("protocolVersion") == version);
  }
  for (const char* version : {"2026-07-28", "1999-01-01", ""}) {
    CHECK(body(desk.post(Desk::plain_headers(), initialize(version).dump()))
              .at("result")
              .at("protocolVersion") == "2025-11-25");
  }
}

TEST_CASE("initialize tells the server, its capabilities and what the tools are for") {
  Desk desk;
  const json result = body(desk.post(Desk::plain_headers(), initialize("2025-11-25").dump())).at("result");
  CHECK(result.at("serverInfo") == json{{"name", "codebox"}, {"version", "1.2.3"}});
  CHECK(result.at("capabilities") == json{{"logging", json::object()}, {"tools", json::object()}});
  CHECK(result.at("instructions").get<std::string>().find("/sandbox/output") != std::string::npos);
  CHECK_FALSE(result.contains("resultType"));
}

TEST_CASE("the version of initialize stands in its body, whatever a header says") {
  Desk desk;
  for (const char* header : {"2026-07-28", "2031-01-01", "rubbish"}) {
    const auto answer = desk.post(Desk::legacy_headers(header), initialize("2025-06-18").dump());
    CHECK(answer.status == 200);
    CHECK(body(answer).at("result").at("protocolVersion") == "2025-06-18");
  }
}

TEST_CASE("initialize without a version is an error of its parameters") {
  Desk desk;
  for (const json& request : {initialize(nullptr), initialize(7), Desk::request("initialize")}) {
    const auto answer = desk.post(Desk::plain_headers(), request.dump());
    CHECK(answer.status == 200);
    CHECK(error_code(answer) == -32602);
  }
}

TEST_CASE("every version of the old era works in the header, and none as well") {
  Desk desk;
  for (const char* version : {"", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    const auto answer = desk.legacy(Desk::request("ping"), version);
    CHECK(answer.status == 200);
    CHECK(answer.body == R"({"jsonrpc":"2.0","id":1,"result":{}})");
  }
  for (const char* version : {"2031-01-01", "rubbish", " "}) {
    CHECK(desk.legacy(Desk::request("ping"), version).status == 400);
  }
  auto twice = Desk::legacy_headers();
  twice.emplace_back("mcp-protocol-version", "2025-11-25");
  CHECK(desk.post(twice, Desk::request("ping").dump()).status == 400);
}

TEST_CASE("a session id that nobody gave out is ignored") {
  Desk desk;
  auto headers = Desk::legacy_headers();
  headers.emplace_back("Mcp-Session-Id", "stale");
  const auto answer = desk.post(headers, Desk::request("tools/list").dump());
  CHECK(answer.status == 200);
  CHECK(answer.headers.empty());
}

TEST_CASE("the log level is accepted if it is one") {
  Desk desk;
  for (const char* level :
       {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}) {
    CHECK(body(desk.legacy(Desk::request("logging/setLevel", {{"level", level}}))).at("result") ==
          json::object());
  }
  for (const json& params : {json{{"level", "loud"}}, json{{"level", 3}}, json::object(), json()}) {
    const auto answer = desk.legacy(Desk::request("logging/setLevel", params));
    CHECK(answer.status == 200);
    CHECK(error_code(answer) == -32602);
  }
}

TEST_CASE("a method that is unknown to the old era is an error with status 200") {
  Desk desk;
  for (const char* method :
       {"server/discover", "resources/list", "prompts/list", "completion/complete", "", "nope"}) {
    const auto answer = desk.legacy(Desk::request(method));
    CHECK(answer.status == 200);
    CHECK(error_code(answer) == -32601);
  }
}

TEST_CASE("params that are no object are an error") {
  Desk desk;
  for (const json& params : {json::array({1}), json("x"), json(7), json(true)}) {
    const auto answer = desk.legacy(Desk::request("ping", params));
    CHECK(answer.status == 200);
    CHECK(error_code(answer) == -32602);
  }
  CHECK(desk.post(Desk::legacy_headers(), R"({"jsonrpc":"2.0","id":1,"method":"ping","params":null})").body ==
        R"({"jsonrpc":"2.0","id":1,"result":{}})");
}

TEST_CASE("a batch is answered in the versions that have it") {
  Desk desk;
  const json batch = json::array({Desk::request("ping", nullptr, 0),
                                  {{"jsonrpc", "2.0"}, {"method", "notifications/x"}},
                                  Desk::request("nope", nullptr, ""),
                                  {{"jsonrpc", "2.0"}, {"id", 4}, {"result", 1}},
                                  Desk::request("initialize", {{"protocolVersion", "2025-03-26"}}, 5),
                                  7});
  for (const char* version : {"", "2024-11-05", "2025-03-26"}) {
    const auto answer = desk.legacy(batch, version);
    CHECK(answer.status == 200);
    const json answers = body(answer);
    REQUIRE(answers.size() == 4);
    CHECK(answers[0] == json{{"jsonrpc", "2.0"}, {"id", 0}, {"result", json::object()}});
    CHECK(answers[1].at("id") == "");
    CHECK(answers[1].at("error").at("code") == -32601);
    CHECK(answers[2].at("id") == 5);
    CHECK(answers[2].at("error").at("code") == -32600);
    CHECK(answers[3].at("id").is_null());
    CHECK(answers[3].at("error").at("code") == -32600);
  }
}

TEST_CASE("a batch of notifications alone is answered with 202") {
  Desk desk;
  const auto answer =
      desk.legacy(json::array({{{"jsonrpc", "2.0"}, {"method", "notifications/x"}}}), "2025-03-26");
  CHECK(answer.status == 202);
  CHECK(answer.body.empty());
}

TEST_CASE("a batch is refused where there is none, when it is empty and when it is long") {
  Desk desk;
  const json one = json::array({Desk::request("ping")});
  json many = json::array();
  for (int i = 0; i < 33; ++i) many.push_back(Desk::request("ping", nullptr, i));
  const std::vector<codebox::mcp::Answer> answers = {
      desk.legacy(one, "2025-06-18"),
      desk.legacy(one, "2025-11-25"),
      desk.legacy(one, "2026-07-28"),
      desk.legacy(one, "rubbish"),
      desk.legacy(json::array(), ""),
      desk.legacy(many, ""),
      desk.legacy(json::array({Desk::modern_request("tools/list")}), "")};
  for (const auto& answer : answers) {
    CHECK(answer.status == 400);
    CHECK(error_code(answer) == -32600);
  }
}

TEST_CASE("the heartbeat of a batch begins once") {
  Desk desk;
  const json call = Desk::request("tools/call", {{"name", "echo"}});
  CHECK(body(desk.legacy(json::array({call, call}), "2025-03-26")).size() == 2);
  CHECK(desk.heartbeat.types == std::vector<std::string>{"application/json"});
}
