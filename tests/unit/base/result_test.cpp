#include "base/result.hpp"

#include <catch2/catch_test_macros.hpp>
#include <memory>

using codebox::Failure;
using codebox::Reason;
using codebox::Result;

TEST_CASE("a result holds its value or why there is none") {
  const Result<int> good = 7;
  REQUIRE(good.ok());
  CHECK(*good == 7);
  const Result<int> bad = Failure{Reason::not_found, "No file."};
  REQUIRE_FALSE(bad);
  CHECK(bad.failure().reason == Reason::not_found);
  CHECK(bad.failure().message == "No file.");
}

TEST_CASE("a result without a value is good until it fails") {
  CHECK(Result<void>().ok());
  const Result<void> bad = Failure{Reason::timeout, "Late."};
  CHECK_FALSE(bad.ok());
  CHECK(bad.failure().message == "Late.");
}

TEST_CASE("a value that only moves can be taken out of a result") {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = std::move(*made);
  CHECK(*taken == 3);
}

TEST_CASE("reasons have stable words") {
  CHECK(std::string(codebox::to_string(Reason::rate_limited)) == "rate_limited");
  CHECK(std::string(codebox::to_string(Reason::cancelled)) == "cancelled");
  CHECK(std::string(codebox::to_string(Reason::internal)) == "internal");
}
