#include "mcp/headers.hpp"

#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "unit/mcp/desk.hpp"

using namespace codebox::test;
using codebox::mcp::accepted_form;
using codebox::mcp::declares_json;
using codebox::mcp::Form;
using codebox::mcp::unwrapped;

TEST_CASE("the media type counts and its parameters do not") {
  for (const char* type : {"application/json", "application/json; charset=utf-8",
                           "Application/JSON;charset=UTF-8", " application/json "}) {
    CHECK(declares_json({{"content-type", type}}));
  }
  for (const char* type :
       {"text/plain", "application/jsonp", "application/json-rpc", "", "text/plain, application/json"}) {
    CHECK_FALSE(declares_json({{"Content-Type", type}}));
  }
  CHECK_FALSE(declares_json({}));
  CHECK_FALSE(declares_json({{"Content-Type", "application/json"}, {"Content-Type", "text/plain"}}));
}

TEST_CASE("another media type is refused with 415 and the request's id") {
  Desk desk;
  const auto answer = desk.post({{"Content-Type", "text/plain"}}, Desk::request("ping", nullptr, 5).dump());
  CHECK(answer.status == 415);
  CHECK(body(answer).at("id") == 5);
}

TEST_CASE("a client gets JSON unless it takes events alone") {
  struct Row {
    const char* accept;
    Form form;
  };
  for (const auto& row : std::vector<Row>{{"application/json, text/event-stream", Form::json},
                                          {"application/json", Form::json},
                                          {"APPLICATION/JSON;q=0.1, text/event-stream", Form::json},
                                          {"application/*", Form::json},
                                          {"*/*", Form::json},
                                          {"", Form::json},
                                          {"text/event-stream", Form::events},
                                          {"text/*;q=0.5", Form::events},
                                          {"application/json;q=0, */*", Form::events},
                                          {"application/json; q=0.0, text/event-stream", Form::events},
                                          {"text/html", Form::none},
                                          {"image/png, text/html", Form::none},
                                          {"application/xml", Form::none},
                                          {"*/*;q=0", Form::none}}) {
    INFO(row.accept);
    CHECK(accepted_form({{"Accept", row.accept}}) == row.form);
  }
  CHECK(accepted_form({}) == Form::json);
  CHECK(accepted_form({{"Accept", "text/event-stream"}, {"accept", "application/json"}}) == Form::json);
}

TEST_CASE("a client that takes neither gets 406") {
  Desk desk;
  const auto answer = desk.post({{"Content-Type", "application/json"}, {"Accept", "text/html"}},
                                Desk::request("ping").dump());
  CHECK(answer.status == 406);
  CHECK(body(answer).at("id") == 1);
}

TEST_CASE("a client that takes events alone gets one event") {
  Desk desk;
  const codebox::mcp::Headers headers = {{"Content-Type", "application/json"},
                                         {"Accept", "text/event-stream"}};
  const auto answer = desk.post(headers, Desk::request("ping").dump());
  CHECK(answer.status == 200);
  CHECK(answer.content_type == "text/event-stream");
  CHECK(answer.body == "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n");
  CHECK(answer.headers ==
        codebox::mcp::Headers{{"Cache-Control", "no-cache, no-transform"}, {"X-Accel-Buffering", "no"}});
  desk.post(headers, Desk::request("tools/call", {{"name", "echo"}}).dump());
  CHECK(desk.heartbeat.types == std::vector<std::string>{"text/event-stream"});
}

TEST_CASE("an event that would be too large for clients leaves out its pictures") {
  using codebox::mcp::Content;
  Desk desk;
  desk.tools.answer(
      {{{Content::Kind::text, "plot", ""}, {Content::Kind::image, std::string(1200000, 'A'), "image/png"}},
       false});
  const auto call = Desk::request("tools/call", {{"name", "echo"}}).dump();
  const auto events =
      desk.post({{"Content-Type", "application/json"}, {"Accept", "text/event-stream"}}, call);
  CHECK(events.body.size() < 1000);
  CHECK(events.body.find("plot") != std::string::npos);
  CHECK(desk.post(Desk::plain_headers(), call).body.size() > 1200000);
}

TEST_CASE("a wrapped header value is decoded strictly") {
  CHECK(unwrapped("plain") == "plain");
  CHECK(unwrapped("") == "");
  CHECK(unwrapped("=?base64?SGVsbG8=?=") == "Hello");
  CHECK(unwrapped("=?base64?WsO8cmljaA==?=") == "Z\xC3\xBCrich");
  CHECK(unwrapped("=?base64?"
                  "?=") == "");
  CHECK(unwrapped("=?base64?SGVsbG8=") == "=?base64?SGVsbG8=");
  CHECK(unwrapped("SGVsbG8=?=") == "SGVsbG8=?=");
  CHECK(unwrapped("=?base64?=") == "=?base64?=");
  for (const char* broken :
       {"=?base64?SGVsbG8?=", "=?base64?SGVsbG9=?=", "=?base64?SGVs bG8=?=", "=?base64?SGV_bG8=?=",
        "=?base64?====?=", "=?base64?/w==?=", "=?base64?SGVsbG8==?=", "=?base64?A===?="}) {
    INFO(broken);
    CHECK(unwrapped(broken) == std::nullopt);
  }
}
