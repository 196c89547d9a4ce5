#include <Poco/Crypto/ECKey.h>
#include <Poco/Crypto/RSAKey.h>
#include <Poco/JWT/Signer.h>
#include <Poco/JWT/Token.h>

#include <catch2/catch_test_macros.hpp>
#include <sstream>
#include <string>

#include "auth/bearer.hpp"
#include "support/fake_clock.hpp"
#include "unit/auth/tokens.hpp"

using codebox::Reason;
using codebox::auth::make_bearer;
using namespace std::chrono_literals;

namespace {

const codebox::test::FakeClock clock_now;

std::string refusal(const std::string& secret, const std::string& algorithm) {
  const auto made = make_bearer({secret, algorithm, 30s}, clock_now);
  if (made) return "made";
  CHECK(made.failure().reason == Reason::invalid);
  return made.failure().message;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

template <class PocoKey>
std::string public_pem(PocoKey& key) {
  std::ostringstream out;
  key.save(&out);
  return out.str();
}

std::string signed_token(Poco::JWT::Signer& signer, const std::string& algorithm) {
  Poco::JWT::Token token;
  token.payload().set("id", std::string("u1"));
  signer.setAlgorithms({algorithm});
  return signer.sign(token, algorithm);
}

// A change in the middle of the last part.
std::string damaged(std::string token) {
  char& c = token[token.size() - 20];
  c = c == 'A' ? 'B' : 'A';
  return token;
}

}  // namespace

TEST_CASE("a secret that is empty or can be guessed is refused") {
  CHECK(refusal("", "HS256") == "JWT_SECRET is empty: set it to Open WebUI's WEBUI_SECRET_KEY.");
  CHECK(has(refusal("fifteen bytes..", "HS256"), "15 bytes long"));
  CHECK_FALSE(has(refusal("fifteen bytes..", "HS256"), "fifteen"));
  CHECK(refusal("sixteen bytes...", "HS256") == "made");
  CHECK(refusal(std::string(64, 'x'), "HS512") == "made");
}

TEST_CASE("an algorithm that is not one of the five is refused by name") {
  for (const char* name : {"none", "", "PS256", "HS1", "hs256", "ES384"}) {
    CHECK(has(refusal(std::string(40, 'x'), name), "use HS256, HS384, HS512, RS256 or ES256"));
  }
}

TEST_CASE("a secret that is no key is refused where a key is needed, and the other way round") {
  for (const char* algorithm : {"RS256", "ES256"}) {
    CHECK(has(refusal(std::string(40, 'x'), algorithm), "is no public key"));
    CHECK(has(refusal("-----BEGIN PUBLIC KEY-----\nrubbish\n-----END PUBLIC KEY-----\n", algorithm),
              "no public key"));
    CHECK(has(refusal("-----BEGIN PRIVATE KEY-----\nrubbish\n-----END PRIVATE KEY-----\n", algorithm),
              "no public key"));
  }
  CHECK(has(refusal("-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n", "HS256"),
            "holds a PEM key"));
}

TEST_CASE("RS256 accepts what the private key signed and nothing else") {
  const Poco::SharedPtr<Poco::Crypto::RSAKey> key(
      new Poco::Crypto::RSAKey(Poco::Crypto::RSAKey::KL_2048, Poco::Crypto::RSAKey::EXP_LARGE));
  const std::string pem = public_pem(*key);
  const auto bearer = make_bearer({pem, "RS256", 30s}, clock_now);
  REQUIRE(bearer.ok());
  Poco::JWT::Signer signer;
  signer.setRSAKey(key);
  const std::string token = signed_token(signer, "RS256");
  REQUIRE((*bearer)->user("Bearer " + token).ok());
  CHECK((*bearer)->user("Bearer " + token)->id == "u1");
  CHECK(has((*bearer)->user("Bearer " + damaged(token)).failure().message, "not signed"));
  const auto confused = codebox::test::hs_token(R"({"alg":"HS256"})", R"({"id":"u1"})", pem);
  CHECK(has((*bearer)->user("Bearer " + confused).failure().message, "accepts RS256 only"));
  const auto relabelled = codebox::test::hs_token(R"({"alg":"RS256"})", R"({"id":"u1"})", pem);
  CHECK(has((*bearer)->user("Bearer " + relabelled).failure().message, "not signed"));
  CHECK((*bearer)->issue("u1", clock_now.wall() + 1h).failure().reason == Reason::invalid);
  CHECK(has(refusal(pem, "ES256"), "no public key"));
}

TEST_CASE("a short RSA key is refused") {
  Poco::Crypto::RSAKey key(Poco::Crypto::RSAKey::KL_1024, Poco::Crypto::RSAKey::EXP_LARGE);
  CHECK(has(refusal(public_pem(key), "RS256"), "1024 bits"));
}

TEST_CASE("ES256 accepts what the private key signed and nothing else") {
  const Poco::SharedPtr<Poco::Crypto::ECKey> key(new Poco::Crypto::ECKey(std::string("prime256v1")));
  const std::string pem = public_pem(*key);
  std::string one_line;
  for (const char c : pem) one_line += c == '\n' ? std::string("\\n") : std::string(1, c);
  for (const auto& form : {pem, one_line}) {
    const auto bearer = make_bearer({form, "ES256", 30s}, clock_now);
    REQUIRE(bearer.ok());
    Poco::JWT::Signer signer;
    signer.setECKey(key);
    const std::string token = signed_token(signer, "ES256");
    REQUIRE((*bearer)->user("Bearer " + token).ok());
    CHECK(has((*bearer)->user("Bearer " + damaged(token)).failure().message, "not signed"));
    const std::string bare = token.substr(0, token.rfind('.') + 1);
    CHECK(has((*bearer)->user("Bearer " + bare).failure().message, "not signed"));
    CHECK(has((*bearer)->user("Bearer " + bare + "AAAA").failure().message, "not signed"));
    CHECK(has((*bearer)->user("Bearer " + bare + std::string(86, 'A')).failure().message, "not signed"));
    CHECK_FALSE((*bearer)->user("Bearer " + token + "AA").ok());
  }
  CHECK(has(refusal(pem, "RS256"), "no public key"));
}

TEST_CASE("a key on another curve is refused for ES256") {
  Poco::Crypto::ECKey key(std::string("secp384r1"));
  CHECK(has(refusal(public_pem(key), "ES256"), "P-256"));
}
