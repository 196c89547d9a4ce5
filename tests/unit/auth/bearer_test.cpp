#include "auth/bearer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "support/fake_clock.hpp"
#include "unit/auth/tokens.hpp"

using codebox::Reason;
using codebox::auth::api_key;
using codebox::auth::Bearer;
using codebox::auth::make_bearer;
using codebox::test::base64url;
using codebox::test::hs_token;
using namespace std::chrono_literals;

namespace {

const std::string secret = "a secret of more than thirty-two bytes";
const std::string head = R"({"alg":"HS256","typ":"JWT"})";
constexpr long long today = 1800000000;

/// What one header's value gives: the user's id, or the refusal's sentence after "refused: ".
class Door {
 public:
  explicit Door(const std::string& algorithm = "HS256") {
    auto made = make_bearer({secret, algorithm, 30s}, clock_);
    REQUIRE(made.ok());
    bearer_ = std::move(*made);
  }
  std::string knock(const std::string& authorization) const {
    const auto user = bearer_->user(authorization);
    if (user) return user->id;
    CHECK(user.failure().reason == Reason::unauthorized);
    return "refused: " + user.failure().message;
  }
  std::string token(const std::string& payload, const std::string& header = head) const {
    return knock("Bearer " + hs_token(header, payload, secret));
  }
  const Bearer& bearer() const { return *bearer_; }

 private:
  codebox::test::FakeClock clock_;
  std::unique_ptr<Bearer> bearer_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string claims(const std::string& more) {
  return R"({"id":"u1")" + more + '}';
}

std::string at(const char* name, long long seconds) {
  return claims(std::string(",\"") + name + "\":" + std::to_string(seconds));
}

}  // namespace

TEST_CASE("a token as Open WebUI makes it names its user") {
  const Door door;
  CHECK(door.token(R"({"id":"5f0c0c0e-9a51-4f0b-8f0e-0a4c9b0d3a11","typ":"session","auth_method":"password",)"
                   R"("auth_time":1799999000,"session_stamp":"x","mfa_verified":false,"exp":1802419200,)"
                   R"("jti":"y","iat":1800000000})") == "5f0c0c0e-9a51-4f0b-8f0e-0a4c9b0d3a11");
}

TEST_CASE("a token without any date is accepted") {
  CHECK(Door().token(R"({"id":"u1"})") == "u1");
}

TEST_CASE("the scheme is read in any case and with blanks around") {
  const Door door;
  const std::string token = hs_token(head, R"({"id":"u1"})", secret);
  CHECK(door.knock("bearer " + token) == "u1");
  CHECK(door.knock("  BEARER   " + token + " ") == "u1");
}

TEST_CASE("without a token a sentence says what to choose in Open WebUI") {
  const Door door;
  const std::string expected =
      "refused: No bearer token came: in Open WebUI set the connection's authentication to Session.";
  CHECK(door.knock("") == expected);
  CHECK(door.knock("   ") == expected);
  CHECK(door.knock("Bearer") == expected);
  CHECK(door.knock("Bearer   ") == expected);
  CHECK(has(door.knock("Basic dTpw"), "does not begin with Bearer"));
}

TEST_CASE("an API key is refused with what to do instead") {
  const auto answer = Door().knock("Bearer sk-0123456789abcdef");
  CHECK(has(answer, "API key"));
  CHECK(has(answer, "Session"));
  CHECK_FALSE(has(answer, "0123456789"));
}

TEST_CASE("a key that an admin typed is refused with what to do instead") {
  const auto answer = Door().knock("Bearer my-static-key");
  CHECK(has(answer, "Session"));
  CHECK_FALSE(has(answer, "my-static-key"));
}

TEST_CASE("only the configured algorithm is accepted") {
  const Door door;
  for (const char* header :
       {R"({"alg":"none"})", R"({"alg":"None"})", R"({"alg":"nOnE"})", R"({"alg":"HS384"})",
        R"({"alg":"RS256"})", R"({"alg":"hs256"})", R"({"alg":""})"}) {
    const auto answer = door.token(R"({"id":"u1"})", header);
    CHECK(has(answer, "The token's algorithm is "));
    CHECK(has(answer, "accepts HS256 only"));
  }
  for (const char* header :
       {R"({"alg":null})", R"({"alg":256})", R"({"alg":["HS256"]})", R"({"typ":"JWT"})"}) {
    CHECK(has(door.token(R"({"id":"u1"})", header), "names no algorithm"));
  }
}

TEST_CASE("a token without a signature is refused whatever it says") {
  const Door door;
  const std::string unsigned_part = base64url(R"({"alg":"none"})") + '.' + base64url(R"({"id":"u1"})");
  CHECK(has(door.knock("Bearer " + unsigned_part + '.'), "algorithm"));
  CHECK(has(door.knock("Bearer " + unsigned_part), "three parts"));
  CHECK(has(door.knock("Bearer " + base64url(head) + '.' + base64url(R"({"id":"u1"})") + '.'), "not signed"));
}

TEST_CASE("a header that is no object, names a member twice or demands extensions is refused") {
  const Door door;
  const std::string payload = R"({"id":"u1"})";
  CHECK(has(door.token(payload, "[]"), "header is not one JSON object"));
  CHECK(has(door.token(payload, "null"), "header is not one JSON object"));
  CHECK(has(door.token(payload, "{"), "header is not one JSON object"));
  CHECK(has(door.token(payload, R"({"alg":"HS256","alg":"HS256"})"), "header is not one JSON object"));
  CHECK(has(door.token(payload, R"({"alg":"HS256","crit":["exp"]})"), "crit"));
  CHECK(door.token(payload, R"({"typ":"at+jwt","kid":"7","alg":"HS256"})") == "u1");
}

TEST_CASE("a token of any other shape than three parts is refused") {
  const Door door;
  const std::string token = hs_token(head, R"({"id":"u1"})", secret);
  CHECK(has(door.knock("Bearer " + token + ".zzz"), "three parts"));
  CHECK(has(door.knock("Bearer " + token + '.'), "three parts"));
  CHECK(has(door.knock("Bearer abc"), "three parts"));
  CHECK(has(door.knock("Bearer a.b"), "three parts"));
  CHECK(has(door.knock("Bearer .."), "header is not"));
  CHECK(has(door.knock("Bearer " + token + "="), "damaged"));
  CHECK(has(door.knock("Bearer " + token + "\n"), "u1"));
  CHECK(has(door.knock("Bearer x" + token), "refused"));
}

TEST_CASE("a token that is cut off or changed is refused") {
  const Door door;
  const std::string token = hs_token(head, R"({"id":"u1"})", secret);
  for (std::size_t size = 0; size < token.size(); ++size) {
    REQUIRE(has(door.knock("Bearer " + token.substr(0, size)), "refused"));
  }
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    REQUIRE(has(door.knock("Bearer " + changed), "refused"));
  }
}

TEST_CASE("a token of 20 KB is refused before it is looked at") {
  const std::string start = base64url(head) + '.';
  CHECK(Door().knock("Bearer " + start + std::string(20480 - start.size(), 'A')) ==
        "refused: The token is 20480 bytes long: the most is 8192.");
}

TEST_CASE("a token that another secret signed is refused with what must be equal") {
  const Door door;
  const auto answer =
      door.knock("Bearer " + hs_token(head, R"({"id":"u1"})", "another secret of thirty-two bytes!!"));
  CHECK(answer ==
        "refused: The token was not signed with JWT_SECRET: it must equal Open WebUI's WEBUI_SECRET_KEY.");
}

TEST_CASE("dates are kept with the leeway on both sides") {
  const Door door;
  CHECK(door.token(at("exp", today + 1)) == "u1");
  CHECK(door.token(at("exp", today - 5)) == "u1");
  CHECK(door.token(at("exp", today - 29)) == "u1");
  CHECK(has(door.token(at("exp", today - 30)), "has expired"));
  CHECK(has(door.token(at("exp", 0)), "has expired"));
  CHECK(door.token(at("iat", today + 5)) == "u1");
  CHECK(door.token(at("iat", today + 30)) == "u1");
  CHECK(has(door.token(at("iat", today + 31)), "not valid yet"));
  CHECK(door.token(at("nbf", today + 30)) == "u1");
  CHECK(has(door.token(at("nbf", today + 31)), "not valid yet"));
  CHECK(door.token(claims(",\"exp\":1800000000.5")) == "u1");
}

TEST_CASE("a date that is no date is refused") {
  const Door door;
  for (const char* name : {"exp", "nbf", "iat"}) {
    for (const char* value :
         {"\"1900000000\"", "null", "true", "-1", "1e300", "[1900000000]", "{}", "253402300800"}) {
      const auto answer = door.token(claims(std::string(",\"") + name + "\":" + value));
      CHECK(answer == std::string("refused: The token's ") + name + " is not a date in seconds.");
    }
  }
  CHECK(has(door.token(claims(",\"exp\":1e999")), "refused"));
}

TEST_CASE("an id that names nobody is refused") {
  const Door door;
  for (const char* payload : {R"({})", R"({"id":""})", R"({"id":"  "})", R"({"id":7})", R"({"id":null})",
                              R"({"id":["u1"]})", R"({"id":{"a":1}})", R"({"sub":"u1"})", R"({"id":"a\nb"})",
                              R"({"id":"a\u0000"})", R"({"id":"a\u007f"})"}) {
    CHECK(has(door.token(payload), "id names no user"));
  }
  CHECK(door.token(R"({"id":")" + std::string(256, 'x') + "\"}") == std::string(256, 'x'));
  CHECK(has(door.token(R"({"id":")" + std::string(257, 'x') + "\"}"), "id names no user"));
}

TEST_CASE("a payload that is no object or names a member twice is refused") {
  const Door door;
  for (const char* payload : {"", "[]", "\"u1\"", "{", R"({"id":"u1"} x)", R"({"id":"u1","id":"u2"})",
                              R"({"id":"u1","a":{"b":1,"b":2}})", "{\"id\":\"\xFE\"}"}) {
    CHECK(has(door.token(payload), "payload is not one JSON object"));
  }
  CHECK(has(door.token(R"({"id":"u1","a":)" + std::string(2000, '[') + std::string(2000, ']') + '}'),
            "payload"));
}

TEST_CASE("no refusal shows the token") {
  const Door door;
  const std::string token = hs_token(head, R"({"id":"u1","exp":1})", secret);
  const std::string answer = door.knock("Bearer " + token);
  CHECK(has(answer, "has expired"));
  for (std::size_t i = 0; i + 8 < token.size(); i += 4) CHECK_FALSE(has(answer, token.substr(i, 8)));
}

TEST_CASE("the longer HS algorithms are accepted where they are configured") {
  const std::string payload = R"({"id":"u1"})";
  const Door three("HS384");
  CHECK(three.knock("Bearer " + hs_token(R"({"alg":"HS384"})", payload, secret, EVP_sha384())) == "u1");
  CHECK(has(three.knock("Bearer " + hs_token(head, payload, secret)), "accepts HS384 only"));
  CHECK(has(three.knock("Bearer " + hs_token(R"({"alg":"HS384"})", payload, secret)), "not signed"));
  const Door five("HS512");
  CHECK(five.knock("Bearer " + hs_token(R"({"alg":"HS512"})", payload, secret, EVP_sha512())) == "u1");
}

TEST_CASE("a token that this server issues is one that it accepts until it expires") {
  for (const char* algorithm : {"HS256", "HS384", "HS512"}) {
    codebox::test::FakeClock clock;
    const auto bearer = make_bearer({secret, algorithm, 30s}, clock);
    REQUIRE(bearer.ok());
    const auto token = (*bearer)->issue("ann \"\xC3\xBC\"", clock.wall() + 1h);
    REQUIRE(token.ok());
    const auto user = (*bearer)->user("Bearer " + *token);
    REQUIRE(user.ok());
    CHECK(user->id == "ann \"\xC3\xBC\"");
    clock.advance(1h + 31s);
    CHECK((*bearer)->user("Bearer " + *token).failure().message ==
          "The token has expired: sign in to Open WebUI again.");
  }
}

TEST_CASE("no token is issued for what names no user") {
  const Door door;
  CHECK(door.bearer().issue("", codebox::WallTime(2000000000s)).failure().reason == Reason::invalid);
  CHECK(door.bearer().issue("a\nb", codebox::WallTime(2000000000s)).failure().reason == Reason::invalid);
}

TEST_CASE("an API key is told apart from a token by its form") {
  CHECK(api_key("Bearer sk-0123") == "sk-0123");
  CHECK(api_key("bearer  sk-0123 ") == "sk-0123");
  CHECK(api_key("Bearer " + hs_token(head, R"({"id":"u1"})", secret)).empty());
  CHECK(api_key("Basic sk-0123").empty());
  CHECK(api_key("sk-0123").empty());
  CHECK(api_key("").empty());
}
