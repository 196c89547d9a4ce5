#include <nlohmann/json.hpp>

#include "app/routes.hpp"
#include "auth/bearer.hpp"
#include "mcp/tools.hpp"
#include "sentences.hpp"
#include "support/fake_clock.hpp"
#include "unit/auth/tokens.hpp"

using namespace codebox;
using namespace codebox::app;
using namespace codebox::app::test;
using codebox::test::hs_token;

namespace {

const std::string secret = "0123456789abcdef0123456789abcdef";
const std::string head = R"({"alg":"HS256","typ":"JWT"})";
const std::string good = R"({"id":"ann"})";

std::string bad_secret(const std::string& text, const std::string& algorithm = "HS256") {
  const codebox::test::FakeClock clock;
  auth::Options options;
  options.secret = text;
  options.algorithm = algorithm;
  return sentence(auth::make_bearer(options, clock));
}

std::string refusal(const std::string& authorization) {
  const codebox::test::FakeClock clock(WallTime(std::chrono::seconds(1800000000)));
  auth::Options options;
  options.secret = secret;
  const auto bearer = auth::make_bearer(options, clock);
  REQUIRE(bearer);
  return sentence((*bearer)->user(authorization));
}

std::string refused_payload(const std::string& payload) {
  return refusal("Bearer " + hs_token(head, payload, secret));
}

struct NoTools : mcp::Tools {
  std::vector<mcp::ToolInfo> list() const override { return {}; }
  bool has(const std::string&) const override { return false; }
  std::string input_schema(const std::string&) const override { return ""; }
  mcp::ToolResult call(const std::string&, nlohmann::json, const Caller&, std::stop_token,
                       const mcp::Tell&) override {
    return {};
  }
};

struct NoHeartbeat : http::Heartbeat {
  void may_begin(const std::string&, const std::string&) override {}
  bool say(const std::string&, const std::string&, const std::string&) override { return false; }
};

/// What a client gets to read of the answer to this request.
std::string answer(const std::string& method, const std::string& path, const std::string& authorization,
                   const std::string& person = "") {
  const codebox::test::FakeClock clock;
  auth::Options options;
  options.secret = secret;
  const auto bearer = auth::make_bearer(options, clock);
  REQUIRE(bearer);
  NoTools tools;
  const auto endpoint = mcp::make_endpoint(tools, "1");
  const openapi::Endpoint openapi(tools, {"0", ""});
  Routes::Parts parts{**bearer, *endpoint, openapi, nullptr, {}, [] { return Result<void>(); }, {}};
  parts.key_owner = [](const std::string&) { return Result<std::string>("ann"); };
  Routes routes(std::move(parts));
  http::Request request;
  request.method = method;
  request.path = path;
  if (!authorization.empty()) request.headers.emplace_back("Authorization", authorization);
  if (!person.empty()) request.headers.emplace_back("X-OpenWebUI-User-Id", person);
  NoHeartbeat heartbeat;
  const auto body = nlohmann::json::parse(routes.handle(request, heartbeat).body);
  const auto& error = body.at("error");
  return error.is_string() ? error.get<std::string>() : error.at("message").get<std::string>();
}

}  // namespace

TEST_CASE("each secret and token that cannot be used gets the sentence of the documentation") {
  const std::string token = hs_token(head, good, secret);
  compare(
      "Secrets and tokens",
      {
          {"JWT_SECRET is empty", bad_secret("")},
          {"JWT_SECRET is short", bad_secret("short")},
          {"JWT_SECRET is a PEM key, JWT_ALGORITHM is not", bad_secret("-----BEGIN PUBLIC KEY-----")},
          {"JWT_SECRET is no PEM key, JWT_ALGORITHM needs one", bad_secret(secret, "RS256")},
          {"JWT_ALGORITHM is unknown", bad_secret(secret, "none")},
          {"a token signed with another secret", refusal("Bearer " + hs_token(head, good, secret + "x"))},
          {"a token that has expired", refused_payload(R"({"id":"ann","exp":1799999000})")},
          {"a token of the future", refused_payload(R"({"id":"ann","iat":1800001000})")},
          {"a token with a date that is none", refused_payload(R"({"id":"ann","exp":"tomorrow"})")},
          {"a token whose id is empty or no text", refused_payload(R"({"id":""})")},
          {"a token of another algorithm, also none",
           refusal("Bearer " + hs_token(R"({"alg":"none"})", good, secret))},
          {"a token without an algorithm", refusal("Bearer " + hs_token(R"({"alg":null})", good, secret))},
          {"a token that demands extensions",
           refusal("Bearer " + hs_token(R"({"alg":"HS256","crit":["x"]})", good, secret))},
          {"a token whose payload is no JSON", refused_payload("nonsense")},
          {"a token with a damaged part", refusal("Bearer " + token + "=")},
          {"a token of 20 KB", refusal("Bearer " + std::string(20000, 'a'))},
      });
}

TEST_CASE("each wrong type of connection gets the sentence of the documentation") {
  compare(
      "The connection in Open WebUI",
      {
          {"Auth is None", answer("POST", "/mcp", "")},
          {"Auth is Bearer, with a key", answer("POST", "/mcp", "Bearer a-typed-key")},
          {"Auth is Bearer, with a person's API key", answer("POST", "/mcp", "Bearer sk-0123", "eve")},
          {"an API key, and OWUI_CHECK_USER is false", refusal("Bearer sk-0123")},
          {"Auth is OAuth", answer("POST", "/mcp", "Bearer " + hs_token(R"({"alg":"RS256"})", good, secret))},
          {"another scheme than Bearer", answer("POST", "/mcp", "Basic YTpi")},
          {"Type is OpenAPI, URL ends in /mcp", answer("GET", "/mcp/openapi.json", "")},
          {"the URL lacks /mcp", answer("POST", "/", "")},
          {"a client that GETs a stream", answer("GET", "/mcp", "")},
      });
}
