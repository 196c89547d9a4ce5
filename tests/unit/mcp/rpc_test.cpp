#include <catch2/catch_test_macros.hpp>
#include <cstdint>

#include "unit/mcp/desk.hpp"

using namespace codebox::test;
using codebox::mcp::refusal;

namespace {

const json unreadable = nullptr;

codebox::mcp::Answer send(const std::string& text) {
  Desk desk;
  return desk.post(Desk::legacy_headers(), text);
}

}  // namespace

TEST_CASE("a body that is no JSON-RPC message is refused with status 400") {
  struct Row {
    std::string text;
    int code;
  };
  const std::vector<Row> table = {
      {"", -32700},
      {"  \n", -32700},
      {"{", -32700},
      {"{'a':1}", -32700},
      {"{} {}", -32700},
      {"{\"a\":\"\xFE\"}", -32700},
      {R"({"jsonrpc":"2.0","id":1,"method":"\ud800"})", -32700},
      {R"({"jsonrpc":"2.0","id":1e999,"method":"ping"})", -32700},
      {"7", -32600},
      {"null", -32600},
      {"\"ping\"", -32600},
      {"{}", -32600},
      {R"({"id":1,"method":"ping"})", -32600},
      {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", -32600},
      {R"({"jsonrpc":2.0,"id":1,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":1})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":null})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"b":1,"b":2}}})", -32600},
  };
  for (const auto& row : table) {
    INFO(row.text);
    const auto answer = send(row.text);
    CHECK(answer.status == 400);
    CHECK(answer.content_type == "application/json");
    CHECK(error_code(answer) == row.code);
    CHECK(body(answer).at("jsonrpc") == "2.0");
    CHECK(body(answer).contains("id"));
  }
}

TEST_CASE("half of a character is told apart from what is no JSON") {
  struct Row {
    const char* text;  // of a member
    const char* half;  // what is named; empty: nothing is wrong
  };
  const std::vector<Row> table = {
      {R"(\ud83c)", R"(\ud83c)"},
      {R"(\uDF89)", R"(\uDF89)"},
      {R"(\ud83c\ud83c\udf89)", R"(\ud83c)"},
      {R"(\udf89\ud83c)", R"(\udf89)"},
      {R"(\ud83c\\udf89)", R"(\ud83c)"},
      {R"(a \ud83c\udf89 b \udbff)", R"(\udbff)"},
      {R"(\ud83c\udf89)", ""},
      {R"(\\ud83c)", ""},
      {R"(\ue000\ud7ff)", ""},
  };
  for (const Row& row : table) {
    INFO(row.text);
    const auto answer =
        send(std::string(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":")") + row.text + "\"}}");
    const std::string half = row.half;
    CHECK(answer.status == (half.empty() ? 200 : 400));
    if (half.empty()) continue;
    CHECK(error_code(answer) == -32700);
    const auto said = body(answer).at("error").at("message").get<std::string>();
    CHECK(said.starts_with("The body holds " + half + " before byte "));
  }
  const auto broken = send(R"({"jsonrpc":"2.0","id":1,"method":ping,"params":"\ud83c"})");
  CHECK(body(broken).at("error").at("message") == "The body is not JSON: it breaks at byte 34.");
}

TEST_CASE("an id that is neither text nor integer is refused, never taken for a notification") {
  for (const char* id :
       {"null", "1.5", "1.0", "true", "{}", "[1]", "1e3", "123456789012345678901234567890"}) {
    INFO(id);
    const auto answer = send(std::string(R"({"jsonrpc":"2.0","method":"ping","id":)") + id + '}');
    CHECK(answer.status == 400);
    CHECK(error_code(answer) == -32600);
    CHECK(body(answer).at("id") == unreadable);
  }
}

TEST_CASE("an id comes back as it was sent") {
  const std::vector<json> ids = {
      0, "", "0", -7, 9007199254740993, UINT64_MAX, INT64_MIN, "Z\xC3\xBCrich \"q\" \n"};
  for (const auto& id : ids) {
    Desk desk;
    const auto legacy = desk.legacy(Desk::request("ping", nullptr, id));
    CHECK(legacy.status == 200);
    CHECK(body(legacy).at("id") == id);
    CHECK(body(legacy).at("id").type() == json::parse(id.dump()).type());
    CHECK(body(desk.modern("tools/list", json::object(), id)).at("id") == id);
  }
  Desk desk;
  CHECK(error_code(desk.legacy(Desk::request("ping", nullptr, std::string(2000, 'x')))) == -32600);
}

TEST_CASE("JSON that is nested too deep or has too many values is refused and breaks nothing") {
  for (const std::size_t depth : {100U, 100000U}) {
    const auto answer = send(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":)" +
                             std::string(depth, '[') + std::string(depth, ']') + "}}");
    CHECK(answer.status == 400);
    CHECK(error_code(answer) == -32600);
  }
  CHECK(send(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":)" + std::string(40, '[') +
             std::string(40, ']') + "}}")
            .status == 200);
  std::string many = "0";
  for (int i = 0; i < 300000; ++i) many += ",0";
  CHECK(send(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[)" + many + "]}}").status == 400);
}

TEST_CASE("a notification is answered with 202 and nothing else") {
  Desk desk;
  for (const char* method :
       {"notifications/initialized", "notifications/cancelled", "notifications/nobody/knows"}) {
    const json notification = {{"jsonrpc", "2.0"}, {"method", method}};
    for (const auto& headers :
         {Desk::legacy_headers(), Desk::plain_headers(), Desk::modern_headers(method)}) {
      const auto answer = desk.post(headers, notification.dump());
      CHECK(answer.status == 202);
      CHECK(answer.body.empty());
      CHECK(answer.content_type.empty());
    }
  }
  CHECK(desk.post(Desk::legacy_headers("2031-01-01"),
                  R"({"jsonrpc":"2.0","method":"notifications/initialized"})")
            .status == 400);
}

TEST_CASE("a body of the shape of a response is taken in silence by the old era and refused by the new") {
  Desk desk;
  for (const char* text : {R"({"jsonrpc":"2.0","id":1,"result":{}})",
                           R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}})"}) {
    CHECK(desk.post(Desk::legacy_headers(), text).status == 202);
    CHECK(desk.post(Desk::plain_headers(), text).status == 202);
    const auto modern = desk.post(Desk::modern_headers("x"), text);
    CHECK(modern.status == 400);
    CHECK(error_code(modern) == -32600);
  }
}

TEST_CASE("a refusal by the transport carries the request's id where it can be read") {
  const auto id_of = [](const std::string& text) {
    return json::parse(refusal(text, 429, "Slow \"down\".")).at("id");
  };
  CHECK(id_of(R"({"jsonrpc":"2.0","id":7,"method":"ping"})") == 7);
  CHECK(id_of(R"({"jsonrpc":"2.0","id":0,"method":"ping"})") == 0);
  CHECK(id_of(R"({"jsonrpc":"2.0","id":"","method":"ping"})") == "");
  CHECK(id_of(R"({"jsonrpc":"2.0","id":1.5})") == unreadable);
  CHECK(id_of("") == unreadable);
  CHECK(id_of("[{\"id\":1}]") == unreadable);
  CHECK(id_of("{\"id\":1") == unreadable);
  const json made = json::parse(refusal("", 429, "Slow \"down\"."));
  CHECK(made ==
        json{{"jsonrpc", "2.0"}, {"id", nullptr}, {"error", {{"code", 429}, {"message", "Slow \"down\"."}}}});
}
