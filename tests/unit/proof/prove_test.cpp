#include "proof/prove.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support/fake_sandbox.hpp"

using namespace codebox;
using Catch::Matchers::ContainsSubstring;
using sandbox::Ending;
using sandbox::Output;

namespace {

const std::map<std::string, std::string> honest = {
    {"look",
     "user ok uid 5\nuser-namespace none not here\ncapabilities ok none\nno-new-privileges ok yes\nnetwork "
     "ok lo\nread-only-root ok yes\n"
     "devices ok none\nseccomp ok both\nsystem-calls ok none\nkernel-files ok none\n"},
    {"disk", "disk ok full\ninodes ok full\n"},
    {"processor", "processor ok 1.0 cores\n"},
    {"processes", "processes ok refused\n"},
    {"memory", "memory ok ended\nswap ok none\n"},
};

/// Sandboxes whose agent reports what the test says; a task that is not there ends as `otherwise`.
struct Bench {
  testing::FakeWorld world;
  testing::FakeSandboxes sandboxes{world};
  std::map<std::string, std::string> reports = honest;
  Ending otherwise = Ending::exited;

  proof::Checks prove() {
    world.on_step = [this](const sandbox::Step& step, sandbox::OutputSink& output) {
      const auto found = reports.find(step.argv.at(2));
      if (found == reports.end()) return testing::ended(otherwise, 1);
      output.write(Output::out, found->second);
      return testing::ended(Ending::exited, 0);
    };
    const Time deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    auto checks = proof::prove(sandboxes, "image", "", deadline, {});
    REQUIRE(checks.ok());
    return *checks;
  }
};

std::string names(const proof::Checks& checks) {
  std::string all;
  for (const auto& check : checks) all += check.name + ' ';
  return all;
}

}  // namespace

TEST_CASE("an engine on which every limit holds is proven, in one sandbox") {
  Bench bench;
  const auto checks = bench.prove();
  CHECK(names(checks) ==
        "user user-namespace capabilities no-new-privileges network read-only-root devices seccomp "
        "system-calls kernel-files "
        "processor processes memory swap disk inodes ");
  CHECK(proof::broken(checks).empty());
  CHECK(proof::complaint(checks).empty());
  // A wall that no engine has to offer is told of, and nobody complains.
  CHECK_THAT(proof::table(checks), ContainsSubstring("user-namespace     not offered     not here"));
  CHECK(bench.world.acquired == 1);
}

TEST_CASE("the agent is told the limits that the sandbox was started with") {
  Bench bench;
  bench.prove();
  const auto limits = proof::proof_limits();
  const auto& steps = bench.world.steps;
  CHECK(steps.at(3).argv.back() == std::to_string(engine::memory_limit(limits, false)));
  CHECK(steps.at(4).argv == std::vector<std::string>{"/.codebox/agent", "prove", "disk",
                                                     std::to_string(limits.disk),
                                                     std::to_string(limits.install)});
}

TEST_CASE("the memory limit is tried before the proof sets one itself") {
  Bench bench;
  bench.prove();
  const auto& events = bench.world.events;
  CHECK(events.at(events.size() - 3) == "memory up");
  CHECK(events.back() == "memory down");
}

TEST_CASE("a limit that an engine accepts and does not apply is found by its name") {
  for (const auto& [task, report] : honest) {
    for (auto at = report.find(" ok "); at != std::string::npos; at = report.find(" ok ", at + 1)) {
      Bench bench;
      auto lie = report;
      lie.replace(at, 4, " bad ");
      bench.reports[task] = lie;
      const auto start = report.rfind('\n', at);
      const auto name = report.substr(start == std::string::npos ? 0 : start + 1,
                                      at - (start == std::string::npos ? 0 : start + 1));
      const auto checks = bench.prove();
      CHECK(proof::broken(checks) == std::vector<std::string>{name});
      CHECK_THAT(proof::complaint(checks), ContainsSubstring(name));
    }
  }
}

TEST_CASE("a check without an answer does not hold") {
  Bench bench;
  bench.reports["disk"] = "disk ok full\n";
  bench.reports.erase("processor");
  CHECK(proof::broken(bench.prove()) == std::vector<std::string>{"processor", "inodes"});
}

TEST_CASE("a runtime that ends the whole sandbox at its memory limit holds it") {
  Bench bench;
  bench.otherwise = Ending::lost;
  bench.reports.erase("memory");
  CHECK(proof::broken(bench.prove()).empty());
}

TEST_CASE(
    "a sandbox that ends where it should not is an answer that is missing, and the rest is still tried") {
  Bench bench;
  bench.otherwise = Ending::lost;
  bench.reports.erase("processor");
  const auto checks = bench.prove();
  CHECK(proof::broken(checks) == std::vector<std::string>{"processor"});
  CHECK(bench.world.acquired == 2);
}

TEST_CASE("what a sandbox reports is bounded, of one line, and only for the task that was asked") {
  Bench bench;
  bench.reports["processor"] =
      "memory bad forged\nprocessor ok \x1b[31m" + std::string(5000, 'x') + "\nprocessor bad late\n";
  const auto checks = bench.prove();
  CHECK(proof::broken(checks).empty());
  const auto at =
      std::find_if(checks.begin(), checks.end(), [](const auto& check) { return check.name == "processor"; });
  CHECK(at->sentence.size() <= 400);
  CHECK(at->sentence.find('\x1b') == std::string::npos);
}

TEST_CASE("the table names each limit and what was seen") {
  const auto text =
      proof::table({{"memory", true, "a program is ended"}, {"swap", false, "it went to swap"}});
  CHECK(text == "memory  ok              a program is ended\nswap    does not hold   it went to swap\n");
}
