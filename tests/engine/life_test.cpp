#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "bench.hpp"

using namespace bench;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the engine says what it is") {
  const auto engine = bench::engine(options(fresh_instance()));
  const auto info = engine->info();
  REQUIRE(info.ok());
  CHECK((info->name == "docker" || info->name == "podman"));
  CHECK_FALSE(info->version.empty());
  CHECK((info->cgroups == "v1" || info->cgroups == "v2"));
  CHECK(info->cpus > 0);
  CHECK(info->memory > 0);
}

TEST_CASE("a sandbox starts, echoes through its stream and is removed") {
  const auto engine = bench::engine(options(fresh_instance()));
  auto container = engine->start(spec(), {});
  INFO((container ? "" : container.failure().message));
  REQUIRE(container.ok());
  CHECK(talk(*container, "Hello, World") == "Hello, World\n");
  CHECK(engine->state(container->id).value().running);
  container->stream.reset();
  CHECK(engine->remove(container->id).ok());
  CHECK(eventually([&] { return !exists(container->id); }));
}

TEST_CASE("removing what is gone is a success, and asking for it says gone") {
  const auto engine = bench::engine(options(fresh_instance()));
  auto container = engine->start(spec(), {});
  REQUIRE(container.ok());
  container->stream.reset();  // the end of stdin ends the program, and AutoRemove the container
  REQUIRE(eventually([&] { return !exists(container->id); }));
  CHECK(engine->state(container->id).failure().reason == Reason::gone);
  CHECK(engine->set_memory(container->id, 128ULL << 20).failure().reason == Reason::gone);
  CHECK(engine->remove(container->id).ok());
  CHECK(engine->remove(container->id).ok());
}

TEST_CASE("an image that is not there is named") {
  const auto engine = bench::engine(options(fresh_instance()));
  const auto image = engine->image("codebox/no-such-image:1");
  REQUIRE_FALSE(image.ok());
  CHECK(image.failure().reason == Reason::not_found);
  CHECK_THAT(image.failure().message, ContainsSubstring("codebox/no-such-image:1"));
  auto wanted = spec();
  wanted.image = "codebox/no-such-image:1";
  CHECK(engine->start(wanted, {}).failure().reason == Reason::image);
}

TEST_CASE("an image that is there is described") {
  const auto engine = bench::engine(options(fresh_instance()));
  const auto found = engine->image(image());
  REQUIRE(found.ok());
  CHECK(found->id.starts_with("sha256:"));
  CHECK_FALSE(found->architecture.empty());
}

TEST_CASE("a pull that fails names the image, and one that is not allowed is refused") {
  auto settings = options(fresh_instance());
  const auto open = bench::engine(settings);
  const auto failed = open->pull("registry.invalid/codebox/none:1", {}, {});
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.failure().reason == Reason::image);
  CHECK_THAT(failed.failure().message, ContainsSubstring("registry.invalid/codebox/none:1"));
  settings.pull = "never";
  const auto closed = bench::engine(settings);
  CHECK_THAT(closed->pull(image(), {}, {}).failure().message, ContainsSubstring("SANDBOX_PULL=never"));
}

TEST_CASE("an image for another architecture is refused before anything starts") {
  const auto engine = bench::engine(options(fresh_instance()));
  auto wanted = spec();
  wanted.image = changed_image("&platform=linux/s390x");
  if (engine->image(wanted.image)->architecture != "s390x")
    SKIP("skipped: this engine imports for its own architecture alone");
  const auto refused = engine->start(wanted, {});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().reason == Reason::image);
  CHECK_THAT(refused.failure().message, ContainsSubstring("is built for s390x"));
}

// Not part of a run: engine_live_test "[measure]" prints what a start costs here.
TEST_CASE("how long a start takes", "[.][measure]") {
  const auto engine = bench::engine(options(fresh_instance()));
  std::vector<long> took;
  for (int i = 0; i < 21; ++i) {
    const auto begun = std::chrono::steady_clock::now();
    auto container = engine->start(spec(), {});
    REQUIRE(container.ok());
    CHECK(talk(*container, "up") == "up\n");
    const auto passed = std::chrono::steady_clock::now() - begun;
    if (i > 0) took.push_back(std::chrono::duration_cast<std::chrono::milliseconds>(passed).count());
    container->stream.reset();
    CHECK(engine->remove(container->id).ok());
  }
  std::sort(took.begin(), took.end());
  WARN("create, start and first answer: median " << took[took.size() / 2] << " ms, from " << took.front()
                                                 << " to " << took.back() << " ms");
}

TEST_CASE("sandboxes start at the same time") {
  const auto engine = bench::engine(options(fresh_instance()));
  std::vector<Result<Container>> started;
  started.reserve(4);
  for (int i = 0; i < 4; ++i) started.emplace_back(Failure{});
  {
    std::vector<std::jthread> threads;
    for (auto& slot : started)
      threads.emplace_back([&engine, &slot, wanted = spec()] { slot = engine->start(wanted, {}); });
  }
  for (auto& container : started) {
    REQUIRE(container.ok());
    CHECK(talk(*container, container->id) == container->id + "\n");
  }
  for (auto& container : started) {
    container->stream.reset();
    const auto removed = engine->remove(container->id);
    INFO((removed ? "" : removed.failure().message));
    CHECK(removed.ok());
  }
}

TEST_CASE("a start that is cancelled leaves no container") {
  const auto instance = fresh_instance();
  const auto engine = bench::engine(options(instance));
  REQUIRE(engine->image(image()).ok());
  std::stop_source source;
  Result<Container> container = Failure{};
  std::thread caller([&, wanted = spec()] { container = engine->start(wanted, source.get_token()); });
  source.request_stop();
  caller.join();
  if (container) {
    container->stream.reset();
    CHECK(engine->remove(container->id).ok());
  } else {
    CHECK(container.failure().reason == Reason::cancelled);
  }
  const std::string query =
      "/v1.41/containers/json?all=1&filters=%7B%22label%22%3A%5B%22codebox.instance%3D" + instance +
      "%22%5D%7D";
  CHECK(eventually([&] { return Api(endpoint()).call("GET", query)->body.starts_with("[]"); }));
}
