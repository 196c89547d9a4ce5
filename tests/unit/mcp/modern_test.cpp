#include <catch2/catch_test_macros.hpp>

#include "unit/mcp/desk.hpp"

using namespace codebox::test;
using codebox::mcp::Answer;
using codebox::mcp::Headers;

namespace {

void check(const Answer& answer, int status, int code) {
  CHECK(answer.status == status);
  CHECK(error_code(answer) == code);
  CHECK(body(answer).at("id") == 1);
}

Headers without(Headers headers, const std::string& name) {
  std::erase_if(headers, [&](const auto& header) { return header.first == name; });
  return headers;
}

Headers with(Headers headers, const std::string& name, const std::string& value) {
  headers = without(std::move(headers), name);
  headers.emplace_back(name, value);
  return headers;
}

const Headers list_headers = Desk::modern_headers("tools/list");
const Headers call_headers = Desk::modern_headers("tools/call", "echo");
const std::string list_body = Desk::modern_request("tools/list").dump();
const std::string call_body = Desk::modern_request("tools/call", {{"name", "echo"}}).dump();

}  // namespace

TEST_CASE("discover tells all that a client needs") {
  Desk desk;
  const auto answer = desk.modern("server/discover");
  CHECK(answer.status == 200);
  CHECK(answer.headers.empty());
  const json result = body(answer).at("result");
  CHECK(result.at("resultType") == "complete");
  CHECK(result.at("supportedVersions") == json{"2026-07-28"});
  CHECK(result.at("capabilities") == json{{"tools", json::object()}});
  CHECK(result.at("ttlMs") == 60000);
  CHECK(result.at("cacheScope") == "private");
  CHECK_FALSE(result.at("instructions").get<std::string>().empty());
  CHECK(result.at("_meta").at("io.modelcontextprotocol/serverInfo") ==
        json{{"name", "codebox"}, {"version", "1.2.3"}});
}

TEST_CASE("the new era is told by the body or by the header") {
  Desk desk;
  check(desk.post(Desk::plain_headers(), list_body), 400, -32020);
  check(desk.post(Desk::legacy_headers("2025-11-25"), list_body), 400, -32020);
  check(desk.post(list_headers, Desk::request("tools/list").dump()), 400, -32602);
  check(desk.post(Desk::legacy_headers("2031-01-01"), Desk::request("tools/list").dump()), 400, -32602);
}

TEST_CASE("a request without its version and capabilities in _meta is refused") {
  Desk desk;
  json no_capabilities = Desk::meta();
  no_capabilities.erase("io.modelcontextprotocol/clientCapabilities");
  json bad_capabilities = Desk::meta();
  bad_capabilities["io.modelcontextprotocol/clientCapabilities"] = "x";
  json bad_version = Desk::meta();
  bad_version["io.modelcontextprotocol/protocolVersion"] = 7;
  for (const json& meta :
       {json(), json("x"), json::object(), no_capabilities, bad_capabilities, bad_version}) {
    check(desk.post(list_headers, Desk::request("tools/list", {{"_meta", meta}}).dump()), 400, -32602);
  }
  check(desk.post(list_headers, Desk::request("tools/list", json::array()).dump()), 400, -32602);
}

TEST_CASE("headers that are missing, repeated or say other than the body are refused") {
  Desk desk;
  check(desk.post(without(list_headers, "MCP-Protocol-Version"), list_body), 400, -32020);
  check(desk.post(without(list_headers, "Mcp-Method"), list_body), 400, -32020);
  check(desk.post(without(call_headers, "Mcp-Name"), call_body), 400, -32020);
  check(desk.post(with(list_headers, "MCP-Protocol-Version", "2025-11-25"), list_body), 400, -32020);
  check(desk.post(with(list_headers, "Mcp-Method", "tools/call"), list_body), 400, -32020);
  check(desk.post(with(list_headers, "Mcp-Method", "Tools/List"), list_body), 400, -32020);
  check(desk.post(with(call_headers, "Mcp-Name", "wait"), call_body), 400, -32020);
  check(desk.post(with(call_headers, "Mcp-Name", "Echo"), call_body), 400, -32020);
  check(desk.post(with(call_headers, "Mcp-Name", "=?base64?ZWNobw?="), call_body), 400, -32020);
  for (const char* name : {"MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"}) {
    Headers twice = call_headers;
    for (const auto& [key, value] : call_headers) {
      if (key == name) twice.emplace_back(name, value);
    }
    REQUIRE(twice.size() == call_headers.size() + 1);
    check(desk.post(twice, call_body), 400, -32020);
  }
  CHECK(desk.tools.calls() == 0);
}

TEST_CASE("header names are compared without case and blanks around values do not count") {
  Desk desk;
  Headers headers = Desk::plain_headers();
  headers.emplace_back("mcp-protocol-version", " 2026-07-28\t");
  headers.emplace_back("MCP-METHOD", "  tools/call ");
  headers.emplace_back("mcp-name", " echo ");
  CHECK(desk.post(headers, call_body).status == 200);
}

TEST_CASE("the tool's name may come wrapped") {
  Desk desk;
  CHECK(desk.post(with(call_headers, "Mcp-Name", "=?base64?ZWNobw==?="), call_body).status == 200);
  CHECK(desk.tools.calls() == 1);
}

TEST_CASE("a version that is not spoken is refused with those that are") {
  Desk desk;
  const json request = Desk::request("tools/list", {{"_meta", Desk::meta("2031-01-01")}});
  const auto answer = desk.post(with(list_headers, "MCP-Protocol-Version", "2031-01-01"), request.dump());
  check(answer, 400, -32022);
  CHECK(body(answer).at("error").at("data") ==
        json{{"supported", json::array({"2026-07-28"})}, {"requested", "2031-01-01"}});
  check(desk.post(list_headers, request.dump()), 400, -32020);
}

TEST_CASE("a log level in _meta must be one") {
  Desk desk;
  json request = Desk::modern_request("tools/list");
  for (const json& level : {json("loud"), json(3), json()}) {
    request["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = level;
    check(desk.post(list_headers, request.dump()), 400, -32602);
  }
  request["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = "debug";
  CHECK(desk.post(list_headers, request.dump()).status == 200);
}

TEST_CASE("a method that the new era lacks is not found") {
  Desk desk;
  for (const char* method : {"initialize", "ping", "logging/setLevel", "resources/subscribe",
                             "subscriptions/listen", "tasks/get", "nope"}) {
    check(desk.modern(method), 404, -32601);
  }
  check(desk.modern("prompts/get", {{"name", "x"}}), 404, -32601);
}

TEST_CASE("arguments that a tool mirrors into headers must say the same there") {
  Desk desk;
  const Headers base = Desk::modern_headers("tools/call", "mirror");
  const auto call = [&](const json& arguments, const Headers& more) {
    Headers headers = base;
    headers.insert(headers.end(), more.begin(), more.end());
    return desk.post(
        headers, Desk::modern_request("tools/call", {{"name", "mirror"}, {"arguments", arguments}}).dump());
  };
  const json all = {{"city", "Z\xC3\xBCrich"}, {"count", 7}, {"on", true}};
  const Headers good = {
      {"Mcp-Param-City", "=?base64?WsO8cmljaA==?="}, {"mcp-param-count", "7"}, {"Mcp-Param-On", "true"}};
  CHECK(call(all, good).status == 200);
  CHECK(call(json::object(), {}).status == 200);
  CHECK(call({{"city", nullptr}}, {}).status == 200);
  CHECK(call({{"other", 1}}, {{"Mcp-Param-Other", "2"}}).status == 200);
  CHECK(call({{"city", "Bern"}}, {{"Mcp-Param-City", "Bern"}}).status == 200);
  const int calls = desk.tools.calls();
  check(call({{"city", "Bern"}}, {}), 400, -32020);
  check(call(json::object(), {{"Mcp-Param-City", "Bern"}}), 400, -32020);
  check(call({{"city", nullptr}}, {{"Mcp-Param-City", "null"}}), 400, -32020);
  check(call({{"city", "Bern"}}, {{"Mcp-Param-City", "bern"}}), 400, -32020);
  check(call({{"city", "Bern"}}, {{"Mcp-Param-City", "=?base64?QmVybg?="}}), 400, -32020);
  check(call({{"city", "Bern"}}, {{"Mcp-Param-City", "Bern"}, {"Mcp-Param-City", "Bern"}}), 400, -32020);
  check(call({{"count", 7}}, {{"Mcp-Param-Count", "8"}}), 400, -32020);
  check(call({{"count", 7}}, {{"Mcp-Param-Count", "7x"}}), 400, -32020);
  check(call({{"on", true}}, {{"Mcp-Param-On", "True"}}), 400, -32020);
  CHECK(desk.tools.calls() == calls);
}
