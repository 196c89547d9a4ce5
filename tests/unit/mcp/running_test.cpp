#include "mcp/running.hpp"

#include <catch2/catch_test_macros.hpp>
#include <optional>

using codebox::mcp::Running;

TEST_CASE("of two calls with the same id neither is cancelled, of one it is") {
  Running running;
  std::stop_source first;
  std::stop_source second;
  const Running::Listed one(running, "ann", "1", first);
  std::optional<Running::Listed> other;
  other.emplace(running, "ann", "1", second);
  CHECK_FALSE(running.cancel("ann", "1"));
  CHECK_FALSE(first.stop_requested());
  CHECK_FALSE(second.stop_requested());
  other.reset();
  CHECK(running.cancel("ann", "1"));
  CHECK(first.stop_requested());
  CHECK_FALSE(second.stop_requested());
}

TEST_CASE("a call that has ended is not there to be cancelled") {
  Running running;
  std::stop_source stop;
  { const Running::Listed listed(running, "ann", "\"a\"", stop); }
  CHECK_FALSE(running.cancel("ann", "\"a\""));
  CHECK_FALSE(stop.stop_requested());
}

TEST_CASE("another user's id names nothing") {
  Running running;
  std::stop_source stop;
  const Running::Listed listed(running, "ann", "1", stop);
  CHECK_FALSE(running.cancel("bob", "1"));
  CHECK_FALSE(running.cancel("ann", "\"1\""));
  CHECK_FALSE(stop.stop_requested());
}
