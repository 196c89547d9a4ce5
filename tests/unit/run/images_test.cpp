#include "run/images.hpp"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <condition_variable>

#include "support/fake_engine.hpp"

using namespace codebox;

namespace {

// An engine without the image, until it has pulled it. A pull lasts until it is let go or cancelled.
struct Registry {
  test::FakeEngine engine;
  std::atomic<bool> there = false;
  std::atomic<int> pulls = 0;
  std::mutex mutex;
  std::condition_variable_any wake;
  bool begun = false;
  bool let_go = false;

  Registry() {
    engine.on_image = [this](const std::string& name) -> Result<engine::ImageInfo> {
      if (there) return engine::ImageInfo{"sha256:" + name, {}, "amd64"};
      return Failure{Reason::not_found, "There is no such image."};
    };
    engine.on_pull = [this](const std::string&, std::stop_token cancel) -> Result<void> {
      ++pulls;
      std::unique_lock lock(mutex);
      begun = true;
      wake.notify_all();
      if (!wake.wait(lock, cancel, [this] { return let_go; }))
        return Failure{Reason::gone, "It was cancelled."};
      there = true;
      return {};
    };
  }

  void wait_for_pull() {
    std::unique_lock lock(mutex);
    wake.wait(lock, [this] { return begun; });
  }

  void finish() {
    const std::lock_guard lock(mutex);
    let_go = true;
    wake.notify_all();
  }
};

}  // namespace

TEST_CASE("waiting for a pull lets it end and does not cancel it") {
  Registry registry;
  run::Images images(registry.engine, run::Pull::missing);
  images.prepare("lua");
  registry.wait_for_pull();
  std::jthread finishing([&] { registry.finish(); });
  images.wait();
  CHECK(registry.pulls == 1);
  CHECK(registry.there);
  CHECK(images.ready("lua").ok());
}

TEST_CASE("a pull that still runs at the end is cancelled") {
  Registry registry;
  {
    run::Images images(registry.engine, run::Pull::missing);
    images.prepare("lua");
    registry.wait_for_pull();
  }
  CHECK_FALSE(registry.there);
}

TEST_CASE("an engine that does not answer is not asked to pull") {
  Registry registry;
  registry.engine.on_image = [](const std::string&) -> Result<engine::ImageInfo> {
    return Failure{Reason::offline, "There is no engine."};
  };
  run::Images images(registry.engine, run::Pull::missing);
  images.prepare("lua");
  images.wait();
  CHECK(registry.pulls == 0);
  const auto image = images.ready("lua");
  REQUIRE_FALSE(image.ok());
  CHECK(image.failure().message == "There is no engine.");
}
