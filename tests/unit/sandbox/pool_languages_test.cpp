#include <catch2/catch_test_macros.hpp>

#include "pool_room.hpp"

using namespace pool_room;

namespace {

std::map<std::string, std::size_t> targets(const Room& room) {
  std::map<std::string, std::size_t> all;
  for (const auto& state : room.pool->state()) all[state.language] += state.target;
  return all;
}

/// Takes and gives back, as a call in that language.
void call(Room& room, const char* language) {
  room.spec.language = language;
  CHECK(room.take() != nullptr);
}

bool dies(Room& room, const std::set<std::string>& ids) {
  return room.comes([&] {
    const std::lock_guard lock(room.world.mutex);
    return std::none_of(ids.begin(), ids.end(),
                        [&](const auto& id) { return room.world.alive.contains(id); });
  });
}

}  // namespace

TEST_CASE("of many languages only the first and those with a number of their own wait from the start") {
  PoolOptions options;
  options.floors["go"] = 3;
  Room room(options);
  for (const char* language : {"go", "java", "lua", "node", "perl"}) {
    room.spec.language = language;
    room.pool->expect(room.spec, room.preparation);
  }
  CHECK(targets(room) == std::map<std::string, std::size_t>{{"go", 3}, {"lua", 2}});
  REQUIRE(room.comes([&] { return room.world.living() == 5; }));
}

TEST_CASE("a language waits after its first call, and no more after an hour without one") {
  Room room;
  room.spec.language = "java";
  room.pool->expect(room.spec, room.preparation);
  CHECK(room.pool->state().empty());
  call(room, "java");
  REQUIRE(room.waiting(2));
  room.clock.advance(59min);
  room.pool->expect(room.spec, room.preparation);
  CHECK(room.state().target == 2);
  room.clock.advance(2min);
  room.pool->expect(room.spec, room.preparation);
  CHECK(room.state().target == 0);
  REQUIRE(room.comes([&] { return room.world.living() == 0; }));
  call(room, "java");
  CHECK(room.waiting(2));
}

TEST_CASE("the first language waits however long nobody calls") {
  Room room;
  room.pool->expect(room.spec, room.preparation);
  room.clock.advance(std::chrono::hours(100));
  CHECK(room.state().target == 2);
  CHECK(room.waiting(2));
}

TEST_CASE("a language in use stays so when its plugin or its image is another one") {
  Room room;
  call(room, "java");
  REQUIRE(room.waiting(2));
  room.preparation.files[0].bytes = "newer";
  room.pool->expect(room.spec, room.preparation);
  CHECK(room.state().target == 2);
  CHECK(dies(room, {"2", "3"}));
  CHECK(room.waiting(2));
}

TEST_CASE("what waits for a language that is not offered any more ends at once, layers too") {
  Room room;
  room.pool->expect(room.spec, room.preparation);
  REQUIRE(room.waiting(2));
  call(room, "java");
  room.spec.layer = "a";
  call(room, "java");
  REQUIRE(room.comes([&] { return room.world.living() == 5; }));
  room.pool->offer({"lua"});
  CHECK(targets(room) == std::map<std::string, std::size_t>{{"lua", 2}});
  CHECK(room.comes([&] { return room.world.living() == 2; }));
}

TEST_CASE("what waits for a plugin's other image ends at once, layers too") {
  Room room;
  room.pool->expect(room.spec, room.preparation);
  room.spec.layer = "a";
  call(room, "lua");
  REQUIRE(room.comes([&] { return room.world.living() == 3; }));
  room.spec.layer.clear();
  room.spec.image = "newer";
  room.preparation.image_id = "sha256:2";
  room.pool->expect(room.spec, room.preparation);
  CHECK(room.pool->state().size() == 1);
  CHECK(room.comes([&] { return room.world.living() == 2 && room.state().waiting == 2; }));
}
