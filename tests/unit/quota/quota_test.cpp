#include "quota/quota.hpp"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "support/fake_clock.hpp"

using codebox::Reason;
using codebox::quota::make_quota;
using codebox::quota::Options;
using codebox::quota::Slot;
using namespace std::chrono_literals;

namespace {

Options unlimited_rate(std::size_t concurrent, std::size_t per_user) {
  return {0, 10, concurrent, per_user};
}

}  // namespace

TEST_CASE("a burst is let through and one more is told when to retry") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota({5, 10, 100, 100}, clock);
  for (int i = 0; i < 10; ++i) REQUIRE(quota->take("ann").ok());
  const auto refused = quota->take("ann");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().reason == Reason::rate_limited);
  CHECK(refused.failure().message == "Too many calls: try again in 1 s.");
}

TEST_CASE("the wait is rounded up to whole seconds") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota({0.5, 1, 100, 100}, clock);
  REQUIRE(quota->take("ann").ok());
  CHECK(quota->take("ann").failure().message == "Too many calls: try again in 2 s.");
  clock.advance(1200ms);
  CHECK(quota->take("ann").failure().message == "Too many calls: try again in 1 s.");
}

TEST_CASE("who waits as long as told is let through") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota({0.5, 1, 100, 100}, clock);
  REQUIRE(quota->take("ann").ok());
  REQUIRE_FALSE(quota->take("ann").ok());
  clock.advance(2s);
  CHECK(quota->take("ann").ok());
  CHECK_FALSE(quota->take("ann").ok());
}

TEST_CASE("tenths of a token add up to a whole one") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota({1, 1, 100, 100}, clock);
  REQUIRE(quota->take("ann").ok());
  for (int i = 0; i < 9; ++i) {
    clock.advance(100ms);
    REQUIRE_FALSE(quota->take("ann").ok());
  }
  clock.advance(100ms);
  CHECK(quota->take("ann").ok());
}

TEST_CASE("a bucket never holds more than its burst") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota({5, 2, 100, 100}, clock);
  REQUIRE(quota->take("ann").ok());
  clock.advance(1h);
  CHECK(quota->take("ann").ok());
  CHECK(quota->take("ann").ok());
  CHECK_FALSE(quota->take("ann").ok());
}

TEST_CASE("a burst below one still lets one call through") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota({1, 0, 100, 100}, clock);
  CHECK(quota->take("ann").ok());
}

TEST_CASE("one person's calls do not slow another") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota({1, 1, 100, 100}, clock);
  REQUIRE(quota->take("ann").ok());
  REQUIRE_FALSE(quota->take("ann").ok());
  CHECK(quota->take("bob").ok());
}

TEST_CASE("a rate of zero turns the rate limit off") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota({0, 1, 1000, 1000}, clock);
  for (int i = 0; i < 500; ++i) REQUIRE(quota->take("ann").ok());
}

TEST_CASE("one person may run so many at once and no more") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota(unlimited_rate(20, 3), clock);
  std::vector<Slot> slots;
  for (int i = 0; i < 3; ++i) slots.push_back(std::move(*quota->take("ann")));
  const auto refused = quota->take("ann");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().reason == Reason::capacity);
  CHECK(refused.failure().message ==
        "As many of your programs run as may at once (3, MAX_CONCURRENT_SANDBOXES_PER_USER): try again when "
        "one of "
        "them has ended.");
  CHECK(quota->running() == 3);
  slots.pop_back();
  CHECK(quota->running() == 2);
  CHECK(quota->take("ann").ok());
}

TEST_CASE("all people together may run so many at once and no more") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota(unlimited_rate(2, 2), clock);
  const auto ann = quota->take("ann");
  auto bob = std::optional(std::move(*quota->take("bob")));
  const auto refused = quota->take("eve");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().reason == Reason::capacity);
  CHECK(refused.failure().message == "All 2 sandboxes are busy: try again in 5 s.");
  bob.reset();
  CHECK(quota->take("eve").ok());
}

TEST_CASE("a call that is refused for want of room costs no token") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota({1, 2, 20, 1}, clock);
  {
    const auto held = quota->take("ann");
    REQUIRE(held.ok());
    for (int i = 0; i < 5; ++i) CHECK(quota->take("ann").failure().reason == Reason::capacity);
  }
  CHECK(quota->take("ann").ok());
}

TEST_CASE("a call that is refused for its rate holds no slot") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota({1, 1, 20, 20}, clock);
  REQUIRE(quota->take("ann").ok());
  for (int i = 0; i < 50; ++i) CHECK_FALSE(quota->take("ann").ok());
  CHECK(quota->running() == 0);
}

TEST_CASE("a moved slot is given back once") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota(unlimited_rate(5, 5), clock);
  Slot first = std::move(*quota->take("ann"));
  CHECK(static_cast<bool>(first));
  Slot second = std::move(first);
  CHECK(quota->running() == 1);
  second = Slot();
  CHECK(quota->running() == 0);
}

TEST_CASE("a slot may outlive the quota") {
  codebox::test::FakeClock clock;
  auto quota = make_quota(unlimited_rate(5, 5), clock);
  auto slot = quota->take("ann");
  quota.reset();
  CHECK(slot.ok());
}

TEST_CASE("the person who was quiet longest is forgotten, one who runs something is not") {
  codebox::test::FakeClock clock;
  const auto quota = make_quota({0.001, 1, 20, 20}, clock);
  const auto held = quota->take("runner");
  REQUIRE(held.ok());
  REQUIRE(quota->take("quiet").ok());
  REQUIRE_FALSE(quota->take("quiet").ok());
  for (int i = 0; i < 5000; ++i) REQUIRE(quota->take("user" + std::to_string(i)).ok());
  CHECK(quota->take("quiet").ok());
  CHECK_FALSE(quota->take("runner").ok());
  CHECK(quota->running() == 1);
}

TEST_CASE("many threads never run more than allowed and lose no slot") {
  const codebox::SystemClock clock;
  const auto quota = make_quota(unlimited_rate(4, 2), clock);
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&quota, i] {
      const std::string user = "user" + std::to_string(i % 3);
      for (int round = 0; round < 300; ++round) {
        const auto slot = quota->take(user);
        if (quota->running() > 4) std::abort();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(quota->running() == 0);
  CHECK(quota->take("user0").ok());
}
