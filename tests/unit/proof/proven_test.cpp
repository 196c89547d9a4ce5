#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <future>

#include "proof/proven_sandboxes.hpp"
#include "support/fake_sandbox.hpp"

using namespace codebox;
using Catch::Matchers::ContainsSubstring;
using proof::Checks;
using proof::Demand;
using proof::ProvenSandboxes;

namespace {

const engine::CreateSpec spec{"image", "test", "", {}};

Time soon(std::chrono::milliseconds wait = std::chrono::seconds(30)) {
  return std::chrono::steady_clock::now() + wait;
}

}  // namespace

TEST_CASE("calls wait for the proof and then get their sandbox") {
  testing::FakeWorld world;
  testing::FakeSandboxes behind(world);
  std::promise<void> go;
  auto gone = go.get_future().share();
  ProvenSandboxes proven(behind, Demand::require, [gone](const auto&, const auto&, auto) {
    gone.wait();
    return Result<Checks>(Checks{{"memory", true, "yes"}});
  });
  proven.begin("image", "");
  const auto early = proven.acquire(spec, soon(std::chrono::milliseconds(50)), {});
  REQUIRE_FALSE(early.ok());
  CHECK(early.failure().reason == Reason::capacity);
  CHECK(world.acquired == 0);
  auto waiting = std::async(std::launch::async, [&] { return proven.acquire(spec, soon(), {}).ok(); });
  go.set_value();
  CHECK(waiting.get());
  CHECK(world.acquired == 1);
}

TEST_CASE("where a limit does not hold nothing starts and every call is told which") {
  testing::FakeWorld world;
  testing::FakeSandboxes behind(world);
  std::atomic<int> proofs = 0;
  ProvenSandboxes proven(behind, Demand::require, [&](const auto&, const auto&, auto) {
    ++proofs;
    return Result<Checks>(Checks{{"memory", true, "yes"}, {"swap", false, "it went to swap"}});
  });
  for (int i = 0; i < 2; ++i) {
    const auto refused = proven.acquire(spec, soon(), {});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.failure().reason == Reason::engine);
    CHECK_THAT(refused.failure().message,
               ContainsSubstring("swap (it went to swap)") && !ContainsSubstring("memory"));
  }
  CHECK(world.acquired == 0);
  CHECK(proofs == 1);
}

TEST_CASE("with SANDBOX_PROOF=warn programs run all the same") {
  testing::FakeWorld world;
  testing::FakeSandboxes behind(world);
  ProvenSandboxes proven(behind, Demand::warn, [](const auto&, const auto&, auto) {
    return Result<Checks>(Checks{{"swap", false, "no"}});
  });
  CHECK(proven.acquire(spec, soon(), {}).ok());
}

TEST_CASE("each runtime is proven on its own") {
  testing::FakeWorld world;
  testing::FakeSandboxes behind(world);
  ProvenSandboxes proven(behind, Demand::require, [](const auto&, const std::string& runtime, auto) {
    return Result<Checks>(Checks{{"memory", runtime == "runsc", "seen"}});
  });
  auto other = spec;
  other.runtime = "runsc";
  CHECK(proven.acquire(other, soon(), {}).ok());
  CHECK_FALSE(proven.acquire(spec, soon(), {}).ok());
}

TEST_CASE("a proof that could not be made is told and made again with the next call") {
  testing::FakeWorld world;
  testing::FakeSandboxes behind(world);
  std::atomic<int> proofs = 0;
  ProvenSandboxes proven(behind, Demand::require, [&](const auto&, const auto&, auto) {
    if (++proofs == 1) return Result<Checks>(Failure{Reason::offline, "No container engine answers."});
    return Result<Checks>(Checks{{"memory", true, "yes"}});
  });
  const auto first = proven.acquire(spec, soon(), {});
  REQUIRE_FALSE(first.ok());
  CHECK(first.failure().reason == Reason::offline);
  CHECK(proven.acquire(spec, soon(), {}).ok());
}

TEST_CASE("a cancelled call stops waiting and the end of the server ends the proof") {
  testing::FakeWorld world;
  testing::FakeSandboxes behind(world);
  ProvenSandboxes proven(behind, Demand::require, [](const auto&, const auto&, std::stop_token stop) {
    std::promise<void> ended;
    const std::stop_callback end(stop, [&] { ended.set_value(); });
    ended.get_future().wait();
    return Result<Checks>(Failure{Reason::cancelled, "ended"});
  });
  std::stop_source cancel;
  cancel.request_stop();
  CHECK(proven.acquire(spec, soon(), cancel.get_token()).failure().reason == Reason::cancelled);
}
