#include <catch2/catch_test_macros.hpp>
#include <future>
#include <memory>
#include <stop_token>

#include "unit/mcp/desk.hpp"

using namespace codebox::test;
using codebox::mcp::Answer;
using codebox::mcp::Content;
using namespace std::chrono_literals;

namespace {

json call_result(const Answer& answer) {
  return body(answer).at("result");
}

/// A call of "wait" on a thread of its own, begun before the constructor returns.
class Waiting {
 public:
  Waiting(Desk& desk, codebox::mcp::Headers headers, const json& request, const std::string& user = "ann") {
    // Shared, since the thread may still be inside set_value when the wait below is over.
    const auto begun = std::make_shared<std::promise<void>>();
    desk.tools.begun = [begun] { begun->set_value(); };
    answer_ = std::async(std::launch::async, [this, &desk, headers = std::move(headers), request, user] {
      codebox::Caller caller;
      caller.user = user;
      FakeHeartbeat heartbeat;
      return desk.endpoint->post({headers, request.dump(), caller}, leave_.get_token(), heartbeat);
    });
    begun->get_future().wait();
  }
  void leave() { leave_.request_stop(); }
  bool running() const { return answer_.wait_for(50ms) != std::future_status::ready; }
  Answer answer() { return answer_.get(); }

 private:
  std::stop_source leave_;
  std::future<Answer> answer_;
};

json wait_call(const json& id) {
  return Desk::request("tools/call", {{"name", "wait"}}, id);
}

json cancel(const json& id) {
  return {{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", id}}}};
}

}  // namespace

TEST_CASE("the list names every tool, with its schema as the tool wrote it") {
  Desk desk;
  for (const auto& answer : {desk.legacy(Desk::request("tools/list")), desk.modern("tools/list")}) {
    CHECK(answer.status == 200);
    const json tools = body(answer).at("result").at("tools");
    REQUIRE(tools.size() == 3);
    CHECK(tools[0].at("name") == "echo");
    CHECK(tools[0].at("title") == "Echo");
    CHECK(tools[0].at("description") == "Says it again.");
    CHECK(tools[0].at("annotations").at("readOnlyHint") == true);
    CHECK(tools[2].at("annotations").at("readOnlyHint") == false);
    CHECK_FALSE(tools[2].contains("title"));
    CHECK(answer.body.find(R"("inputSchema":{"type":"object","properties":{"z":{},"a":{}}})") !=
          std::string::npos);
  }
  CHECK(desk.tools.calls() == 0);
}

TEST_CASE("the new era's list says how long it may be kept, the old one's does not") {
  Desk desk;
  const json modern = body(desk.modern("tools/list")).at("result");
  CHECK(modern.at("resultType") == "complete");
  CHECK(modern.at("ttlMs") == 60000);
  CHECK(modern.at("cacheScope") == "private");
  const json legacy = body(desk.legacy(Desk::request("tools/list"))).at("result");
  CHECK(legacy.size() == 1);
}

TEST_CASE("there is one page, and its cursor is empty") {
  Desk desk;
  CHECK(body(desk.legacy(Desk::request("tools/list", {{"cursor", ""}}))).contains("result"));
  CHECK(error_code(desk.legacy(Desk::request("tools/list", {{"cursor", "page2"}}))) == -32602);
  CHECK(error_code(desk.legacy(Desk::request("tools/list", {{"cursor", 2}}))) == -32602);
  const auto modern = desk.modern("tools/list", {{"cursor", "page2"}});
  CHECK(modern.status == 400);
  CHECK(error_code(modern) == -32602);
}

TEST_CASE("a call reaches the tool with its arguments and its user") {
  Desk desk;
  const json params = {{"name", "echo"}, {"arguments", {{"code", "print(1)"}}}};
  const json legacy = call_result(desk.legacy(Desk::request("tools/call", params)));
  const json block = {{"type", "text"}, {"text", "{\"code\":\"print(1)\"}"}};
  CHECK(legacy == json{{"content", json::array({block})}, {"isError", false}});
  CHECK(desk.tools.user() == "ann");
  CHECK(desk.heartbeat.types == std::vector<std::string>{"application/json"});
  const json modern = call_result(desk.modern("tools/call", params));
  CHECK(modern.at("resultType") == "complete");
  CHECK(modern.at("content") == legacy.at("content"));
  CHECK(modern.at("_meta").contains("io.modelcontextprotocol/serverInfo"));
}

TEST_CASE("absent and null arguments are an empty object") {
  Desk desk;
  for (const json& params : {json{{"name", "echo"}}, json{{"name", "echo"}, {"arguments", nullptr}}}) {
    CHECK(call_result(desk.legacy(Desk::request("tools/call", params))).at("content")[0].at("text") == "{}");
    CHECK(call_result(desk.modern("tools/call", params)).at("content")[0].at("text") == "{}");
  }
}

TEST_CASE("a call whose parameters have the wrong shape reaches no tool") {
  Desk desk;
  for (const json& params :
       {json(), json::object(), json{{"name", 7}}, json{{"name", nullptr}},
        json{{"name", "echo"}, {"arguments", "x"}}, json{{"name", "echo"}, {"arguments", json::array()}}}) {
    const auto answer = desk.legacy(Desk::request("tools/call", params));
    CHECK(answer.status == 200);
    CHECK(error_code(answer) == -32602);
  }
  const auto modern =
      desk.post(Desk::modern_headers("tools/call"), Desk::modern_request("tools/call").dump());
  CHECK(modern.status == 400);
  CHECK(error_code(modern) == -32602);
  CHECK(desk.tools.calls() == 0);
}

TEST_CASE("an unknown tool is an error with status 200 in both eras") {
  Desk desk;
  const json params = {{"name", "run_cobol"}};
  for (const auto& answer :
       {desk.legacy(Desk::request("tools/call", params)), desk.modern("tools/call", params)}) {
    CHECK(answer.status == 200);
    CHECK(error_code(answer) == -32602);
    CHECK(body(answer).at("error").at("message") ==
          "Unknown tool: \"run_cobol\"; the tools are echo, mirror, wait.");
  }
  CHECK(desk.heartbeat.types.empty());
}

TEST_CASE("what a program printed comes back as valid UTF-8") {
  Desk desk;
  desk.tools.answer({{{Content::Kind::text,
                       "a\xFE"
                       "b\xED\xA0\x80",
                       ""}},
                     true});
  const json result = call_result(desk.legacy(Desk::request("tools/call", {{"name", "echo"}})));
  CHECK(result.at("isError") == true);
  CHECK(result.at("content")[0].at("text") ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_CASE("pictures come back as images, other kinds are left out") {
  Desk desk;
  desk.tools.answer({{{Content::Kind::text, "done", ""},
                      {Content::Kind::image, "AAAA", "image/png"},
                      {Content::Kind::image, "BBBB", "image/svg+xml"},
                      {Content::Kind::image, "CCCC", "image/webp"}},
                     false});
  const json content = call_result(desk.modern("tools/call", {{"name", "echo"}})).at("content");
  CHECK(content == json{{{"type", "text"}, {"text", "done"}},
                        {{"type", "image"}, {"data", "AAAA"}, {"mimeType", "image/png"}},
                        {{"type", "image"}, {"data", "CCCC"}, {"mimeType", "image/webp"}}});
}

TEST_CASE("a fault inside a tool shows no detail to the client") {
  Desk desk;
  const json params = {{"name", "echo"}, {"arguments", {{"throw", 1}}}};
  for (const auto& answer :
       {desk.legacy(Desk::request("tools/call", params)), desk.modern("tools/call", params)}) {
    CHECK(answer.status == 200);
    CHECK(error_code(answer) == -32603);
    CHECK(answer.body.find("secret") == std::string::npos);
  }
}

TEST_CASE("closing the connection cancels the call in both eras") {
  Desk desk;
  Waiting legacy(desk, Desk::legacy_headers(), wait_call(1));
  legacy.leave();
  CHECK(error_code(legacy.answer()) == -32800);
  Waiting modern(desk, Desk::modern_headers("tools/call", "wait"),
                 Desk::modern_request("tools/call", {{"name", "wait"}}));
  modern.leave();
  CHECK(error_code(modern.answer()) == -32800);
}

TEST_CASE("a cancel notification ends the call with that id") {
  Desk desk;
  for (const json& id : {json(0), json(""), json("abc"), json(41)}) {
    Waiting call(desk, Desk::legacy_headers(), wait_call(id));
    CHECK(desk.legacy(cancel(id)).status == 202);
    const auto answer = call.answer();
    CHECK(answer.status == 200);
    CHECK(error_code(answer) == -32800);
    CHECK(body(answer).at("id") == id);
  }
}

TEST_CASE("a cancel notification ends no other call") {
  Desk desk;
  Waiting call(desk, Desk::legacy_headers(), wait_call(7));
  for (const json& id : {json("7"), json(8), json(7.0), json(), json::object()}) {
    CHECK(desk.legacy(cancel(id)).status == 202);
  }
  CHECK(desk.legacy({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}}).status == 202);
  CHECK(desk.post(Desk::legacy_headers(), cancel(7).dump(), {}, "eve").status == 202);
  CHECK(desk.post(Desk::modern_headers("notifications/cancelled"), cancel(7).dump()).status == 202);
  CHECK(call.running());
  CHECK(desk.legacy(cancel(7)).status == 202);
  CHECK(error_code(call.answer()) == -32800);
}

TEST_CASE("a call of the new era is not ended by a notification") {
  Desk desk;
  Waiting call(desk, Desk::modern_headers("tools/call", "wait"),
               Desk::modern_request("tools/call", {{"name", "wait"}}, 7));
  CHECK(desk.legacy(cancel(7)).status == 202);
  CHECK(call.running());
  call.leave();
  CHECK(error_code(call.answer()) == -32800);
}

namespace {

codebox::mcp::Notice progress(double value, double total = 0, const std::string& message = "") {
  return {"", value, total, message, "", ""};
}

/// The notifications of a stream of events.
std::vector<json> notifications(const std::string& events) {
  std::vector<json> found;
  for (std::size_t at = 0; (at = events.find("data: ", at)) != std::string::npos; at += 6) {
    found.push_back(json::parse(events.substr(at + 6, events.find('\n', at) - at - 6)));
  }
  return found;
}

}  // namespace

TEST_CASE("progress goes ahead of the answer, as events, to a client that gave a token") {
  Desk desk;
  desk.tools.notices = {progress(0, 2, "begun"), progress(1.5)};
  json params = {{"name", "echo"}, {"_meta", {{"progressToken", 7}}}};
  SECTION("in an event stream, with the answer at its end") {
    const auto answer = desk.legacy(Desk::request("tools/call", params));
    const auto told = notifications(desk.heartbeat.said);
    REQUIRE(told.size() == 2);
    CHECK(told[0] ==
          json({{"jsonrpc", "2.0"},
                {"method", "notifications/progress"},
                {"params", {{"progressToken", 7}, {"progress", 0}, {"total", 2}, {"message", "begun"}}}}));
    CHECK(told[1].at("params") == json({{"progressToken", 7}, {"progress", 1.5}}));
    CHECK(answer.content_type == "text/event-stream");
    CHECK(notifications(answer.body).at(0).at("id") == 1);
  }
  SECTION("not where the answer has begun as JSON") {
    desk.heartbeat.deaf = true;
    CHECK(body(desk.legacy(Desk::request("tools/call", params))).contains("result"));
  }
  SECTION("not without a token") {
    params.erase("_meta");
    CHECK(body(desk.legacy(Desk::request("tools/call", params))).contains("result"));
    CHECK(desk.heartbeat.said.empty());
  }
  SECTION("not for a client that does not name events") {
    auto headers = Desk::legacy_headers();
    headers[1].second = "application/json, */*";
    CHECK(body(desk.post(headers, Desk::request("tools/call", params).dump())).contains("result"));
    CHECK(desk.heartbeat.said.empty());
  }
  SECTION("not out of a batch") {
    const json batch = json::array({Desk::request("tools/call", params)});
    CHECK(body(desk.legacy(batch, "2025-03-26")).is_array());
    CHECK(desk.heartbeat.said.empty());
  }
}

TEST_CASE("log lines are told from the level on that the client wants") {
  Desk desk;
  desk.tools.notices = {{"debug", 0, 0, "", "", "\"d\""}, {"info", 0, 0, "", "db", R"({"rows":3})"}};
  const auto call = [&](json meta) {
    json request = Desk::modern_request("tools/call", {{"name", "echo"}});
    request["params"]["_meta"].update(meta);
    desk.post(Desk::modern_headers("tools/call", "echo"), request.dump());
    return notifications(desk.heartbeat.said);
  };
  CHECK(call(json::object()).empty());
  CHECK(call({{"io.modelcontextprotocol/logLevel", "debug"}}).size() == 2);
  CHECK(call({{"io.modelcontextprotocol/logLevel", "warning"}}).empty());
  desk.legacy(Desk::request("tools/call", {{"name", "echo"}}));
  const auto told = notifications(desk.heartbeat.said);
  REQUIRE(told.size() == 1);
  CHECK(told[0].at("method") == "notifications/message");
  CHECK(told[0].at("params") == json({{"level", "info"}, {"logger", "db"}, {"data", {{"rows", 3}}}}));
}

TEST_CASE("every kind of content is rendered as the protocol has it") {
  Desk desk;
  using Kind = Content::Kind;
  codebox::mcp::ToolResult result;
  result.content = {{Kind::audio, "UklG", "audio/wav"},
                    {Kind::resource, "words", "text/plain", "test://a"},
                    {Kind::resource, "UklG", "", "test://b", "", "", true},
                    {Kind::link, "", "", "https://example.org/", "page", "A page."}};
  result.structured = R"({"n":1})";
  desk.tools.answer(result);
  const json given = call_result(desk.modern("tools/call", {{"name", "echo"}}));
  CHECK(given.at("structuredContent") == json({{"n", 1}}));
  CHECK(given.at("content") ==
        json::array({{{"type", "audio"}, {"data", "UklG"}, {"mimeType", "audio/wav"}},
                     {{"type", "resource"},
                      {"resource", {{"uri", "test://a"}, {"mimeType", "text/plain"}, {"text", "words"}}}},
                     {{"type", "resource"}, {"resource", {{"uri", "test://b"}, {"blob", "UklG"}}}},
                     {{"type", "resource_link"},
                      {"uri", "https://example.org/"},
                      {"name", "page"},
                      {"description", "A page."}}}));
}

TEST_CASE("a tool may answer with an error of the protocol") {
  Desk desk;
  codebox::mcp::ToolResult result;
  result.error =
      codebox::mcp::ToolError{-32021, "Needs sampling.", R"({"requiredCapabilities":{"sampling":{}}})"};
  desk.tools.answer(result);
  const auto answer = desk.modern("tools/call", {{"name", "echo"}});
  CHECK(answer.status == 400);
  CHECK(error_code(answer) == -32021);
  CHECK(body(answer).at("error").at("data").at("requiredCapabilities").contains("sampling"));
  CHECK(desk.legacy(Desk::request("tools/call", {{"name", "echo"}})).status == 200);
}
