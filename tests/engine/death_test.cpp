#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>
#include <nlohmann/json.hpp>

#include "bench.hpp"

using namespace bench;
using Catch::Matchers::ContainsSubstring;

namespace {

Container started(Engine& engine) {
  auto container = engine.start(spec(), {});
  INFO((container ? "" : container.failure().message));
  REQUIRE(container.ok());
  return std::move(*container);
}

}  // namespace

TEST_CASE("two launchers leave each other's containers alone") {
  auto first = bench::engine(options(fresh_instance()));
  auto second = bench::engine(options(fresh_instance()));
  auto mine = started(*first);
  auto yours = started(*second);
  const auto refused = second->remove(mine.id);
  REQUIRE_FALSE(refused.ok());
  CHECK_THAT(refused.failure().message, ContainsSubstring("was not made by this launcher"));
  CHECK_FALSE(second->set_memory(mine.id, 128ULL << 20).ok());
  CHECK_FALSE(second->state(mine.id).ok());
  yours.stream.reset();
  second.reset();
  CHECK(eventually([&] { return !exists(yours.id); }));
  CHECK(talk(mine, "alive") == "alive\n");
  mine.stream.reset();
}

TEST_CASE("the end of the server's side removes every container") {
  auto engine = bench::engine(options(fresh_instance()));
  auto container = started(*engine);
  engine.reset();
  CHECK(eventually([&] { return !exists(container.id); }));
}

TEST_CASE("a launcher that is killed fails what waits, is replaced, and its containers are swept") {
  const auto engine = bench::engine(options(fresh_instance()));
  auto container = started(*engine);
  REQUIRE(::kill(launcher_pid(), SIGKILL) == 0);
  // The request may be the one that sees the end or the first of the new launcher.
  const auto asked = engine->info();
  if (!asked) CHECK_THAT(asked.failure().message, ContainsSubstring("launcher"));
  REQUIRE(eventually([&] { return engine->info().ok(); }));
  CHECK(eventually([&] { return !exists(container.id); }));
  CHECK(engine->remove(container.id).ok());
  auto next = started(*engine);
  CHECK(talk(next, "again") == "again\n");
  next.stream.reset();
  const auto removed = engine->remove(next.id);
  INFO((removed ? "" : removed.failure().message));
  CHECK(removed.ok());
}

TEST_CASE("a one-shot run beside a server of the same instance takes nothing from it") {
  const auto instance = fresh_instance();
  auto server = bench::engine(options(instance));
  auto kept = started(*server);
  auto settings = options(instance);
  settings.sweep = false;
  auto once = bench::engine(settings);
  auto brief = started(*once);
  brief.stream.reset();
  once.reset();
  CHECK(talk(kept, "kept") == "kept\n");
  kept.stream.reset();
}

TEST_CASE("an engine that does not answer is a sentence, not an end") {
  auto settings = options(fresh_instance());
  settings.endpoint = "unix:///nonexistent/engine.sock";
  const auto engine = bench::engine(settings);
  const auto info = engine->info();
  REQUIRE_FALSE(info.ok());
  CHECK(info.failure().reason == Reason::offline);
  CHECK_THAT(info.failure().message, ContainsSubstring("/nonexistent/engine.sock"));
}
