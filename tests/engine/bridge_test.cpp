#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>
#include <nlohmann/json.hpp>

#include "bench.hpp"
#include "engine/filters.hpp"

using namespace bench;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

LauncherOptions with_full(const std::string& instance) {
  auto wanted = options(instance);
  wanted.full_network = true;
  return wanted;
}

CreateSpec full_spec() {
  auto wanted = spec();
  wanted.network = "full";
  return wanted;
}

/// The networks that carry this instance's label, as the engine tells them.
json networks(const std::string& instance) {
  const Api api(bench::endpoint());
  const auto answer = api.call("GET", "/v1.40/networks?filters=" + filters({{"label", label_of(instance)}}));
  REQUIRE(answer);
  return json::parse(answer->body);
}

Container on_bridge(Engine& engine) {
  auto container = engine.start(full_spec(), {});
  INFO((container ? "" : container.failure().message));
  REQUIRE(container);
  return std::move(*container);
}

void need_docker(Engine& engine) {
  const auto info = engine.info();
  REQUIRE(info);
  if (info->name != "docker") SKIP("skipped: only Docker's bridges keep sandboxes apart");
}

}  // namespace

TEST_CASE("the mode full is a bridge of the instance's own, which goes with its launcher") {
  const auto instance = fresh_instance();
  auto engine = bench::engine(with_full(instance));
  need_docker(*engine);
  CHECK(networks(instance).empty());
  auto first = on_bridge(*engine);
  auto second = on_bridge(*engine);
  const auto made = networks(instance);
  REQUIRE(made.size() == 1);
  CHECK(made[0]["EnableIPv6"] == false);
  CHECK(made[0]["Options"]["com.docker.network.bridge.enable_icc"] == "false");
  for (const auto* container : {&first, &second}) {
    const auto attached = inspect(container->id)["NetworkSettings"]["Networks"];
    REQUIRE(attached.size() == 1);
    CHECK(attached.begin().value()["NetworkID"] == made[0]["Id"]);
  }
  first.stream.reset();
  second.stream.reset();
  engine.reset();
  CHECK(eventually([&] { return networks(instance).empty(); }));
}

TEST_CASE("a bridge that somebody removed is made anew, one of a killed launcher is swept") {
  const auto instance = fresh_instance();
  auto engine = bench::engine(with_full(instance));
  need_docker(*engine);
  auto container = on_bridge(*engine);
  const auto before = networks(instance);
  REQUIRE(before.size() == 1);
  REQUIRE(::kill(launcher_pid(), SIGKILL) == 0);
  container.stream.reset();
  REQUIRE(eventually([&] { return engine->info().ok(); }));
  CHECK(eventually([&] { return networks(instance).empty(); }, std::chrono::seconds(90)));
  auto again = on_bridge(*engine);
  const auto gone = networks(instance);
  REQUIRE(gone.size() == 1);
  CHECK(gone[0]["Id"] != before[0]["Id"]);
  again.stream.reset();
  REQUIRE(engine->remove(again.id).ok());
  const Api api(bench::endpoint());
  REQUIRE(eventually([&] {
    const auto removed = api.call("DELETE", "/v1.40/networks/" + gone[0]["Id"].get<std::string>());
    return removed && (removed->ok() || removed->status == 404);
  }));
  auto last = on_bridge(*engine);
  CHECK(networks(instance).size() == 1);
  last.stream.reset();
}

TEST_CASE("without the operator's word no sandbox gets a network") {
  const auto instance = fresh_instance();
  const auto engine = bench::engine(options(instance));
  const auto refused = engine->start(full_spec(), {});
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.failure().message, ContainsSubstring("SANDBOX_NETWORK=full"));
  CHECK(networks(instance).empty());
}
