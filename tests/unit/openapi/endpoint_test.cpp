#include "openapi/endpoint.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace codebox;
using nlohmann::json;

namespace {

/// One tool whose result the test says.
class OneTool : public mcp::Tools {
 public:
  std::vector<mcp::ToolInfo> list() const override {
    return {
        {"list_python_packages", "Python packages", "Lists.", R"({"type":"object","properties":{}})", true},
        {"run_python", "Run Python", "Runs.",
         R"({"type":"object","properties":{"code":{"type":"string"}},"required":["code"]})", false}};
  }
  bool has(const std::string& name) const override { return name == "run_python"; }
  std::string input_schema(const std::string&) const override { return "{}"; }
  mcp::ToolResult call(const std::string&, json given, const Caller& caller, std::stop_token,
                       const mcp::Tell&) override {
    ++calls;
    arguments = given;
    user = caller.user;
    if (given.contains("throw")) throw std::runtime_error("a secret detail");
    return result;
  }

  mcp::ToolResult result{{{mcp::Content::Kind::text, "42\n[exit status 0, 1 s]\n", ""}}, false};
  json arguments;
  std::string user;
  int calls = 0;
};

struct Beats : mcp::Heartbeat {
  void may_begin(const std::string& content_type) override { types.push_back(content_type); }
  bool say(const std::string&, const std::string&) override { return false; }
  std::vector<std::string> types;
};

struct Face {
  OneTool tools;
  openapi::Endpoint endpoint{tools, {"1.2.3", ""}};
  Beats beats;
  mcp::Answer call(const std::string& body, mcp::Headers headers = {},
                   const std::string& name = "run_python") {
    headers.emplace_back("Content-Type", "application/json");
    return endpoint.call(name, {std::move(headers), body, {"ann", "t", "", ""}}, {}, beats);
  }
};

json body(const mcp::Answer& answer) {
  return json::parse(answer.body);
}

}  // namespace

TEST_CASE("a call's result is one object, with its files as links") {
  Face face;
  face.tools.result.content.push_back({mcp::Content::Kind::image, "AAAA", "image/png"});
  face.tools.result.reason = "failed";
  face.tools.result.exit_status = 3;
  face.tools.result.files = {{"plot.png", "/files/1", 10, true}};
  const auto answer = face.call(R"({"code":"1"})");
  CHECK(answer.status == 200);
  CHECK(answer.content_type == "application/json");
  const json said = body(answer);
  CHECK(said.at("ran") == true);
  CHECK(said.at("reason") == "failed");
  CHECK(said.at("exit_status") == 3);
  CHECK(said.at("seconds") >= 0);
  CHECK(said.at("text") == "42\n[exit status 0, 1 s]\n");
  CHECK(said.at("files") ==
        json::parse(R"([{"name":"plot.png","link":"/files/1","size":10,"picture":true}])"));
  CHECK(answer.body.find("AAAA") == std::string::npos);
  CHECK(face.tools.arguments == json({{"code", "1"}}));
  CHECK(face.tools.user == "ann");
  CHECK(face.beats.types == std::vector<std::string>{"application/json"});
}

TEST_CASE("whoever asks for text, or calls from a chat without asking, gets the text for a model alone") {
  CHECK(openapi::wants_text({{"Accept", "text/plain"}}));
  CHECK(openapi::wants_text({{"accept", "text/plain, application/json;q=0.5"}}));
  CHECK(openapi::wants_text({{"Accept", "*/*"}, {"X-OpenWebUI-Chat-Id", "5"}}));
  CHECK(openapi::wants_text({{"X-OpenWebUI-Chat-Id", "5"}}));
  CHECK_FALSE(openapi::wants_text({}));
  CHECK_FALSE(openapi::wants_text({{"Accept", "*/*"}, {"X-OpenWebUI-Chat-Id", ""}}));
  CHECK_FALSE(openapi::wants_text({{"Accept", "application/json, text/plain, */*"}}));
  CHECK_FALSE(openapi::wants_text({{"Accept", "application/json"}, {"X-OpenWebUI-Chat-Id", "5"}}));
  CHECK_FALSE(openapi::wants_text({{"Accept", ", ;;,"}}));
  Face face;
  const auto answer = face.call(R"({"code":"1"})", {{"Accept", "text/plain"}});
  CHECK(answer.content_type == "text/plain; charset=utf-8");
  CHECK(answer.body == "42\n[exit status 0, 1 s]\n");
}

TEST_CASE("a call that was taken up is status 200, also when its program never started") {
  Face face;
  face.tools.result = {
      {{mcp::Content::Kind::text, "Nothing was run.\n[reason] install", ""}}, true, "install"};
  const auto answer = face.call("{}");
  CHECK(answer.status == 200);
  CHECK(body(answer).at("ran") == false);
  CHECK(body(answer).at("reason") == "install");
  CHECK(face.call("{}", {{"Accept", "text/plain"}}).body == "Error: Nothing was run.\n[reason] install");
}

TEST_CASE("a call that is not taken up has the status of its reason, and its sentence") {
  const std::vector<std::pair<std::string, int>> expected = {
      {"invalid", 422}, {"too_large", 413}, {"rate_limited", 429}, {"capacity", 503}};
  for (const auto& [reason, status] : expected) {
    Face face;
    face.tools.result = {{{mcp::Content::Kind::text, "No.\n[reason] x", ""}}, true, reason, 1, {}, "No."};
    const auto answer = face.call("{}");
    CHECK(answer.status == status);
    CHECK(body(answer) == json({{"error", "No."}, {"reason", reason}}));
    CHECK(face.call("{}", {{"Accept", "text/plain"}}).body == "No.");
    const bool waits = status == 429 || status == 503;
    CHECK(answer.headers.size() == (waits ? 1U : 0U));
  }
}

TEST_CASE("a body that is no object calls nothing") {
  Face face;
  for (const char* text : {"[", "[]", "5", "\"x\"", "null", "{\"a\":1,\"a\":2}", "{}{}", "\xff", "{\"a\":"}) {
    const auto answer = face.call(text);
    CHECK(answer.status == 400);
    CHECK(body(answer).at("reason") == "invalid");
  }
  CHECK(face.call(std::string(200, '[') + std::string(200, ']')).status == 400);
  CHECK(face.tools.calls == 0);
  CHECK(face.call("").status == 200);
  CHECK(face.tools.arguments == json::object());
}

TEST_CASE("what is not declared as JSON is not read") {
  Face face;
  const auto answer =
      face.endpoint.call("run_python", {{{"Content-Type", "text/plain"}}, "{}", {}}, {}, face.beats);
  CHECK(answer.status == 415);
  CHECK(face.tools.calls == 0);
}

TEST_CASE("a tool that is not there is answered with those that are") {
  Face face;
  const auto answer = face.call("{}", {}, "run_cobol");
  CHECK(answer.status == 404);
  CHECK(body(answer).at("error") ==
        "There is no tool \"run_cobol\": the tools are list_python_packages, run_python.");
}

TEST_CASE("a fault of ours tells nothing of itself") {
  Face face;
  const auto answer = face.call(R"({"throw":true})");
  CHECK(answer.status == 500);
  CHECK(answer.body.find("secret") == std::string::npos);
}

TEST_CASE("the document has one operation for each tool, with its schema and its errors") {
  OneTool tools;
  const json said = json::parse(openapi::document(tools, {"1.2.3", "https://box.example"}));
  CHECK(said.at("openapi") == "3.1.0");
  CHECK(said.at("info").at("version") == "1.2.3");
  CHECK(said.at("servers")[0].at("url") == "https://box.example");
  CHECK(said.at("paths").size() == 2);
  const json& post = said.at("paths").at("/tools/run_python").at("post");
  CHECK(post.at("operationId") == "run_python");
  CHECK(post.at("description") == "Runs.");
  CHECK(post.at("requestBody").at("content").at("application/json").at("schema").at("required")[0] == "code");
  for (const char* status : {"200", "400", "401", "403", "404", "413", "415", "422", "429", "500", "503"}) {
    CHECK(post.at("responses").contains(status));
  }
  CHECK_FALSE(post.contains("parameters"));
  CHECK(said.at("components").at("securitySchemes").at("bearer").at("scheme") == "bearer");
  CHECK_FALSE(json::parse(openapi::document(tools, {"1", ""})).contains("servers"));
}
