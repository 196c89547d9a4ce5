#include "engine/client.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace codebox;
using namespace codebox::engine;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a launcher that cannot be run is a sentence") {
  LauncherOptions options;
  options.program = "/nonexistent/codebox";
  const auto engine = launch(options);
  REQUIRE_FALSE(engine.ok());
  CHECK_THAT(engine.failure().message, ContainsSubstring("/nonexistent/codebox"));
}

TEST_CASE("a launcher that ends at once fails every request with a sentence, and the next one is tried") {
  LauncherOptions options;
  options.program = "/bin/false";
  options.instance = "unit";
  const auto engine = launch(options);
  REQUIRE(engine.ok());
  for (int i = 0; i < 3; ++i) {
    const auto info = (*engine)->info();
    REQUIRE_FALSE(info.ok());
    CHECK(info.failure().reason == Reason::offline);
    CHECK_THAT(info.failure().message, ContainsSubstring("launcher"));
  }
}
