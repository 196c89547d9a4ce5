#include "engine/pull.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace codebox;
using namespace codebox::engine;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string said(std::string_view words) {
  const auto failure = pull_failure("a/b:c", words);
  CHECK(failure.reason == Reason::image);
  CHECK_THAT(failure.message, ContainsSubstring("\"a/b:c\""));
  return failure.message;
}

}  // namespace

TEST_CASE("an image that does not exist is said to be missing") {
  CHECK_THAT(said("manifest for a/b:c not found: manifest unknown: manifest unknown"),
             ContainsSubstring("does not exist in its registry"));
  CHECK_THAT(said("name unknown: repository not known"), ContainsSubstring("does not exist in its registry"));
}

TEST_CASE("a registry that denies access is named as denying") {
  CHECK_THAT(
      said("pull access denied for a/b, repository does not exist or may require 'docker login': denied: "
           "requested access to the resource is denied"),
      ContainsSubstring("denies access"));
  CHECK_THAT(said("unauthorized: authentication required"), ContainsSubstring("denies access"));
}

TEST_CASE("a registry's rate limit is named as such") {
  CHECK_THAT(said("toomanyrequests: You have reached your pull rate limit."),
             ContainsSubstring("no more requests"));
  CHECK_THAT(said("received unexpected HTTP status: 429 Too Many Requests"),
             ContainsSubstring("no more requests"));
}

TEST_CASE("a registry that cannot be reached is named as such") {
  for (const char* const words :
       {"Get \"https://registry.example/v2/\": dial tcp: lookup registry.example: no such host",
        "Get \"https://registry.example/v2/\": dial tcp 192.0.2.1:443: connect: connection refused",
        "Get \"https://registry.example/v2/\": net/http: TLS handshake timeout",
        "Get \"https://registry.example/v2/\": x509: certificate signed by unknown authority"}) {
    INFO(words);
    CHECK_THAT(said(words), ContainsSubstring("cannot be reached"));
  }
}

TEST_CASE("other words of the engine are passed on") {
  CHECK_THAT(said("no space left on device"), ContainsSubstring("no space left on device"));
}
