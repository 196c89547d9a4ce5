#include "sandbox/admission.hpp"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <thread>
#include <vector>

#include "support/fake_engine.hpp"

using namespace codebox;
using Catch::Matchers::ContainsSubstring;
using sandbox::Admission;

namespace {

constexpr std::uint64_t mib = 1ULL << 20;

/// Promises nothing but counts: each start is a container of its own.
class Counting : public test::FakeEngine {
 public:
  Counting() {
    on_start = [this](const engine::CreateSpec&) -> Result<engine::Container> {
      if (refuse) return Failure{Reason::engine, "no"};
      return engine::Container{"c" + std::to_string(++started), Fd(), "", false};
    };
  }
  Result<engine::EngineInfo> info() override {
    return engine::EngineInfo{"fake", "1", "fake://", "v2", host, 2, false};
  }
  Result<void> remove(const std::string& id) override {
    if (stuck) return Failure{Reason::offline, "the engine does not answer"};
    return FakeEngine::remove(id);
  }
  std::atomic<int> started = 0;
  bool refuse = false;
  bool stuck = false;
  std::uint64_t host = 0;
};

// 36 + 8 + the reserve of 64 MiB: 108 MiB, and 20 more while it installs.
const engine::CreateSpec spec{"image", "test", "", {36 * mib, 8 * mib, 20 * mib, 1, 32}};

}  // namespace

TEST_CASE("sandboxes start until their limits add up to what the host has") {
  Counting engine;
  Admission admission(engine, 220 * mib);
  REQUIRE(admission.start(spec, {}).ok());
  const auto second = admission.start(spec, {});
  REQUIRE(second.ok());
  CHECK(admission.promised() == 216 * mib);
  CHECK(admission.available() == 4 * mib);
  const auto third = admission.start(spec, {});
  REQUIRE_FALSE(third.ok());
  CHECK(third.failure().reason == Reason::capacity);
  CHECK_THAT(third.failure().message,
             ContainsSubstring("Try again in 5 seconds") && ContainsSubstring("108 MiB"));
  CHECK(engine.started == 2);
  REQUIRE(admission.remove(second->id).ok());
  CHECK(admission.start(spec, {}).ok());
}

TEST_CASE("an install needs room for its allowance and keeps it until the sandbox goes") {
  Counting engine;
  Admission admission(engine, 240 * mib);
  const auto first = admission.start(spec, {});
  const auto second = admission.start(spec, {});
  REQUIRE(admission.set_memory(first->id, engine::memory_limit(spec.limits, true)).ok());
  CHECK(admission.promised() == 236 * mib);
  const auto refused = admission.set_memory(second->id, engine::memory_limit(spec.limits, true));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().reason == Reason::capacity);
  CHECK(engine.FakeEngine::memory().size() == 1);
  REQUIRE(admission.remove(first->id).ok());
  CHECK(admission.promised() == 108 * mib);
  CHECK(admission.set_memory(second->id, engine::memory_limit(spec.limits, true)).ok());
}

TEST_CASE("a start that fails promises nothing") {
  Counting engine;
  engine.refuse = true;
  Admission admission(engine, 220 * mib);
  CHECK(admission.start(spec, {}).failure().reason == Reason::engine);
  CHECK(admission.promised() == 0);
}

TEST_CASE("nine tenths of the engine's memory are the default") {
  Counting engine;
  engine.host = 130 * mib;
  Admission admission(engine, 0);
  CHECK(admission.start(spec, {}).ok());
  CHECK(admission.available() == 9 * mib);
  engine.host = 100 * mib;
  Admission small(engine, 0);
  CHECK_THAT(small.start(spec, {}).failure().message, ContainsSubstring("SANDBOX_MAX_TOTAL_MEMORY"));
}

TEST_CASE("a sandbox that could not be removed counts until it is") {
  Counting engine;
  Admission admission(engine, 120 * mib);
  const auto first = admission.start(spec, {});
  engine.stuck = true;
  CHECK_FALSE(admission.remove(first->id).ok());
  CHECK(admission.start(spec, {}).failure().reason == Reason::capacity);
  engine.stuck = false;
  CHECK(admission.start(spec, {}).ok());
}

TEST_CASE("threads that start and remove at once never exceed the total") {
  Counting engine;
  Admission admission(engine, 330 * mib);
  std::atomic<bool> exceeded = false;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        const auto got = admission.start(spec, {});
        if (admission.promised() > 330 * mib) exceeded = true;
        if (got.ok() && !admission.remove(got->id).ok()) exceeded = true;
      }
    });
  }
  threads.clear();
  CHECK_FALSE(exceeded);
  CHECK(admission.promised() == 0);
}

TEST_CASE("what only waits makes room before a caller is refused") {
  Counting engine;
  Admission admission(engine, 220 * mib);
  std::vector<std::string> waiting;
  for (int i = 0; i < 2; ++i) waiting.push_back(admission.start(spec, {}).value().id);
  std::vector<std::uint64_t> asked;
  std::jthread remover;
  admission.set_give_way([&](std::uint64_t bytes) {
    asked.push_back(bytes);
    if (waiting.empty()) return false;
    // Off the caller's path, as sandboxes are removed.
    remover = std::jthread([&admission, id = waiting.back()] { (void)admission.remove(id); });
    waiting.pop_back();
    return true;
  });
  CHECK(admission.start(spec, {}).ok());
  CHECK(asked == std::vector<std::uint64_t>{104 * mib});
  remover.join();
  waiting.clear();
  const auto refused = admission.start(spec, {});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().reason == Reason::capacity);
  CHECK(asked.size() == 2);
  CHECK(admission.promised() == 216 * mib);
}

TEST_CASE("nobody gives way for what can never fit") {
  Counting engine;
  Admission admission(engine, 100 * mib);
  admission.set_give_way([](std::uint64_t) {
    FAIL("it was asked");
    return false;
  });
  CHECK_FALSE(admission.start(spec, {}).ok());
}

TEST_CASE("a caller who waits for memory can be cancelled") {
  Counting engine;
  Admission admission(engine, 120 * mib);
  REQUIRE(admission.start(spec, {}).ok());
  std::stop_source cancel;
  admission.set_give_way([&](std::uint64_t) {
    cancel.request_stop();
    return true;
  });
  const auto refused = admission.start(spec, cancel.get_token());
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().reason == Reason::cancelled);
}

TEST_CASE("what was removed while it was asked after is there to be promised") {
  Counting engine;
  Admission admission(engine, 120 * mib);
  const auto first = admission.start(spec, {});
  admission.set_give_way([&](std::uint64_t) { return !admission.remove(first->id).ok(); });
  CHECK(admission.start(spec, {}).ok());
}
