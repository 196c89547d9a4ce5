#include <catch2/catch_test_macros.hpp>

#include "pool_room.hpp"
#include "sandbox/attempts.hpp"

using namespace pool_room;

TEST_CASE("an expected language has its floor waiting, and a caller gets one of them prepared") {
  Room room;
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.waiting(2));
  const auto one = room.take();
  CHECK(one->prepared());
  CHECK((one->id() == "1" || one->id() == "2"));
  CHECK(dynamic_cast<One&>(*one).files == std::vector<std::string>{"/tmp/.support/a"});
  CHECK(room.comes([&] { return room.state().waiting >= 2; }));
}

TEST_CASE("an empty pool is a cold start") {
  Room room;
  CHECK_FALSE(room.take()->prepared());
  REQUIRE(room.comes([&] { return room.state().waiting >= 2; }));
  CHECK(room.take()->prepared());
}

TEST_CASE("each sandbox is given once") {
  Room room;
  std::set<std::string> ids;
  for (int i = 0; i < 50; ++i) ids.insert(room.take()->id());
  CHECK(ids.size() == 50);
}

TEST_CASE("a floor of zero keeps none, for all or for one language") {
  PoolOptions options;
  SECTION("all") {
    options.floor = 0;
  }
  SECTION("one") {
    options.floors["lua"] = 0;
  }
  Room room(options);
  room.pool->expect(room.spec, room.preparation);
  CHECK_FALSE(room.take()->prepared());
  CHECK(room.pool->state().empty());
}

TEST_CASE(
    "more wait while calls come together, never above the ceiling, and the floor is enough again later") {
  PoolOptions options;
  options.ceiling = 5;
  Room room(options);
  std::vector<std::unique_ptr<sandbox::Sandbox>> taken;
  for (int i = 0; i < 2; ++i) taken.push_back(room.take());
  CHECK(room.state().target == 4);
  REQUIRE(room.waiting(4));
  for (int i = 0; i < 6; ++i) taken.push_back(room.take());
  CHECK(room.state().target == 5);
  REQUIRE(room.waiting(5));
  taken.clear();
  room.clock.advance(11min);
  CHECK(room.state().target == 2);
  REQUIRE(room.waiting(2));
  CHECK(room.comes([&] { return room.world.living() == 2; }));
}

TEST_CASE("one that ended while it waited is replaced") {
  Room room;
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.waiting(2));
  room.world.change([&] { room.world.dead = {"1", "2"}; });
  REQUIRE(room.comes([&] {
    const std::lock_guard lock(room.world.mutex);
    return room.world.alive == std::set<std::string>{"3", "4"};
  }));
}

TEST_CASE("one that does not answer is noticed before a caller gets it") {
  Room room;
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.waiting(2));
  room.world.change([&] { room.world.silent = {"1"}; });
  CHECK(room.take()->id() != "1");
  CHECK(room.comes([&] {
    const std::lock_guard lock(room.world.mutex);
    return !room.world.alive.contains("1");
  }));
}

TEST_CASE("another image or runtime, or other files, make what waits useless at once") {
  Room room;
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.waiting(2));
  SECTION("image") {
    room.preparation.image_id = "sha256:2";
  }
  SECTION("runtime") {
    room.spec.runtime = "runsc";
  }
  SECTION("files") {
    room.preparation.files[0].bytes = "other";
  }
  SECTION("environment") {
    room.preparation.waiting.env = {"A=1"};
  }
  CHECK_FALSE(room.take()->prepared());
  REQUIRE(room.comes([&] {
    const std::lock_guard lock(room.world.mutex);
    return !room.world.alive.contains("1") && !room.world.alive.contains("2");
  }));
}

TEST_CASE("nothing is started ahead while a caller waits for a cold start") {
  Room room;
  room.world.change([&] { room.world.starts_blocked = true; });
  std::unique_ptr<sandbox::Sandbox> got;
  std::jthread caller([&] { got = room.take(); });
  REQUIRE(room.world.wait([&] { return room.world.started == 1; }));
  // The pool's thread has a reason to start some now; give it the chance to do wrong.
  for (int i = 0; i < 20; ++i) {
    room.pool->expect(room.spec, room.preparation);
    std::this_thread::sleep_for(2ms);
  }
  CHECK(room.world.wait([&] { return room.world.started == 1; }));
  room.world.change([&] { room.world.starts_blocked = false; });
  caller.join();
  CHECK(room.comes([&] { return room.state().waiting >= 2; }));
}

TEST_CASE("processes wait in sandboxes where the language has one") {
  Room room;
  room.preparation.waiting.argv = {"lua", "wait"};
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.comes([&] { return room.state().preloaded == 2; }));
  CHECK(dynamic_cast<One&>(*room.take()).preloaded);
}

TEST_CASE("a caller does not wait for a process that still loads") {
  Room room;
  room.preparation.waiting.argv = {"lua", "wait"};
  room.world.change([&] { room.world.preloads_blocked = true; });
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.world.wait([&] { return room.world.preloads == 1; }));
  std::vector<std::unique_ptr<sandbox::Sandbox>> got;
  for (int i = 0; i < 2; ++i) got.push_back(room.take());
  CHECK(got[0]->prepared());
  CHECK_FALSE(dynamic_cast<One&>(*got[0]).preloaded);
}

TEST_CASE("a start that fails is not tried again at once") {
  Room room;
  room.world.change([&] { room.world.starts_fail = true; });
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.world.wait([&] { return room.world.started == 1; }));
  for (int i = 0; i < 20; ++i) {
    room.pool->expect(room.spec, room.preparation);
    std::this_thread::sleep_for(2ms);
  }
  CHECK(room.world.wait([&] { return room.world.started == 1; }));
  room.world.change([&] { room.world.starts_fail = false; });
  room.clock.advance(2min);
  room.pool->expect(room.spec, room.preparation);
  CHECK(room.waiting(2));
}

TEST_CASE("the pause after an attempt that failed doubles up to a minute, and one that succeeds ends it") {
  sandbox::Attempts attempts;
  Time now{};
  for (const auto pause : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
    attempts.failed(now, "away");
    CHECK_FALSE(attempts.due(now + pause - 1ms));
    CHECK(attempts.due(now + pause));
    now += pause;
  }
  CHECK(attempts.trouble() == "away");
  attempts.succeeded();
  CHECK(attempts.trouble().empty());
  attempts.failed(now, "away");
  CHECK(attempts.due(now + 1s));
}

TEST_CASE("sandboxes wait without a process that never gets ready, and are replaced at once") {
  Room room;
  room.preparation.waiting.argv = {"lua", "wait"};
  room.world.change([&] { room.world.preloads_fail = true; });
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.comes([&] { return room.state().trouble == "it ended before it was ready"; }));
  REQUIRE(room.waiting(2));
  for (int i = 0; i < 3; ++i) {
    CHECK(room.take()->prepared());
    CHECK(room.comes([&] { return room.state().waiting >= 2; }));
  }
  CHECK(room.state().trouble == "it ended before it was ready");
  CHECK(room.state().preloaded == 0);
}

TEST_CASE("the host's memory bounds what waits") {
  PoolOptions options;
  options.floor = 8;
  options.available = [] { return std::uint64_t{60} << 20; };
  Room room(options);
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.waiting(2));
  for (int i = 0; i < 20; ++i) {
    room.pool->expect(room.spec, room.preparation);
    std::this_thread::sleep_for(2ms);
  }
  CHECK(room.state().waiting == 2);
}

TEST_CASE("what waiting processes hold is what they say, and SANDBOX_POOL_MEMORY bounds it") {
  PoolOptions options;
  options.floor = 8;
  options.memory = std::uint64_t{400} << 20;
  Room room(options);
  room.preparation.waiting.argv = {"lua", "wait"};
  SECTION("some") {
    // 94 MiB each with the 24 of a sandbox.
    room.pool->expect(room.spec, room.preparation);
    REQUIRE(room.comes([&] { return room.state().preloaded == 4; }));
    CHECK(room.state().bytes == std::uint64_t{4 * 94} << 20);
  }
  SECTION("more than a program may") {
    room.spec.limits.memory = std::uint64_t{300} << 20;
    room.world.process_bytes = std::uint64_t{1} << 40;
    room.pool->expect(room.spec, room.preparation);
    REQUIRE(room.comes([&] { return room.state().preloaded == 1; }));
    CHECK(room.state().bytes == std::uint64_t{324} << 20);
  }
  for (int i = 0; i < 20; ++i) {
    room.pool->expect(room.spec, room.preparation);
    std::this_thread::sleep_for(2ms);
  }
  CHECK(room.state().bytes <= options.memory);
}

TEST_CASE("what waits gives way, one by one, and is not made anew at once") {
  PoolOptions options;
  options.floor = 3;
  Room room(options);
  room.spec.limits.memory = std::uint64_t{100} << 20;
  const std::uint64_t one = engine::memory_limit(room.spec.limits, false);
  CHECK_FALSE(room.pool->give_way(one));
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.waiting(3));
  CHECK(room.pool->give_way(one));
  CHECK(room.state().waiting == 2);
  CHECK(room.pool->give_way(one + 1));
  CHECK(room.state().waiting == 0);
  CHECK(room.world.living() == 0);
  CHECK_FALSE(room.pool->give_way(one));
  room.world.change([&] { room.world.removing = true; });
  CHECK(room.pool->give_way(one));
  room.pool->expect(room.spec, room.preparation);
  CHECK(room.waiting(3));
}

TEST_CASE("why none could be started is known until one is") {
  Room room;
  room.world.change([&] { room.world.starts_fail = true; });
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.comes([&] { return room.state().trouble == "the engine is away"; }));
  room.world.change([&] { room.world.starts_fail = false; });
  room.clock.advance(2min);
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.waiting(2));
  CHECK(room.state().trouble.empty());
}

TEST_CASE("the end of the pool is the end of all that waits and of a start in progress") {
  Room room;
  room.preparation.waiting.argv = {"lua", "wait"};
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.comes([&] { return room.state().preloaded == 2; }));
  room.world.change([&] { room.world.preloads_blocked = room.world.starts_blocked = true; });
  room.take();
  room.pool.reset();
  CHECK(room.world.living() == 0);
}

TEST_CASE(
    "a package layer has one sandbox waiting once somebody asked for it, and none when nobody does any "
    "more") {
  Room room;
  room.spec.layer = "a";
  room.take();
  CHECK(room.waiting(1));
  CHECK(room.state().target == 1);
  room.clock.advance(11min);
  CHECK(room.waiting(0));
  for (const char* other : {"b", "c", "d", "e", "f"}) {
    room.spec.layer = other;
    CHECK(room.take() != nullptr);
  }
  CHECK(room.comes([&] { return room.pool->state().size() == 4; }));
}
