#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <condition_variable>
#include <deque>

#include "run/runner.hpp"
#include "support/example_language.hpp"
#include "support/fake_clock.hpp"
#include "support/fake_engine_images.hpp"
#include "support/fake_files.hpp"
#include "support/fake_sandbox.hpp"

using namespace codebox;

namespace {

/// An engine that keeps layers in memory. Any thread.
class LayersEngine : public testing::ImagesOnlyEngine {
 public:
  Result<void> make_layer(const std::string&, const engine::Layer& layer, Fd archive) override {
    std::string bytes(1 << 16, '\0');
    const auto got = ::pread(archive.get(), bytes.data(), bytes.size(), 0);
    const std::lock_guard lock(mutex_);
    bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    archive_ = bytes;
    made_.push_back(layer);
    changed_.notify_all();
    return {};
  }
  /// Waits until so many were made.
  bool wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(30), [&] { return made_.size() >= count; });
  }
  std::string archive() {
    const std::lock_guard lock(mutex_);
    return archive_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<engine::Layer> made_;
  std::string archive_;
};

/// Every sandbox is a new world; pip leaves one module in it. Any thread.
class NewWorlds : public sandbox::Sandboxes {
 public:
  Result<std::unique_ptr<sandbox::Sandbox>> acquire(const engine::CreateSpec& spec, Time,
                                                    std::stop_token) override {
    const std::lock_guard lock(mutex_);
    layers_.push_back(spec.layer);
    if (!spec.layer.empty() && vanished_) return Failure{Reason::not_found, "it is gone"};
    testing::FakeWorld& world = worlds_.emplace_back();
    world.on_step = [this, &world](const sandbox::Step& step, sandbox::OutputSink&) {
      const std::lock_guard again(mutex_);
      steps_.push_back(step.argv.front());
      if (step.argv.front() == "pip") world.files["/packages/humanize/__init__.py"] = "# made by strangers";
      return testing::ended(sandbox::Ending::exited, 0);
    };
    return std::unique_ptr<sandbox::Sandbox>(std::make_unique<testing::FakeSandbox>(world));
  }
  std::vector<std::string> take_steps() {
    const std::lock_guard lock(mutex_);
    return std::exchange(steps_, {});
  }
  std::string last_layer() {
    const std::lock_guard lock(mutex_);
    return layers_.empty() ? "" : layers_.back();
  }
  void vanish() {
    const std::lock_guard lock(mutex_);
    vanished_ = true;
  }

 private:
  std::mutex mutex_;
  std::deque<testing::FakeWorld> worlds_;
  std::vector<std::string> layers_;
  std::vector<std::string> steps_;
  bool vanished_ = false;
};

struct Room {
  run::Options options;
  LayersEngine engine;
  run::Images images{engine, run::Pull::missing};
  NewWorlds sandboxes;
  testing::FakeFiles files;
  test::FakeClock clock;
  run::PackageLayers layers{options, engine, sandboxes, clock, std::filesystem::temp_directory_path()};
  run::Runner runner{options, images, sandboxes, files, &layers};

  bool run(const std::vector<std::string>& libraries) {
    run::Arguments arguments;
    arguments.code = "secret = 'of the user'";
    arguments.libraries = libraries;
    return !runner.run(testing::example_language(), arguments, {"u1", "t", "", ""}, {}).is_error;
  }
  /// A layer is known a moment after the engine has made it.
  bool answered_from_layer(const std::vector<std::string>& libraries) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < end) {
      if (run(libraries) && !sandboxes.last_layer().empty()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }
};

bool installs(const std::vector<std::string>& steps) {
  return std::find(steps.begin(), steps.end(), "pip") != steps.end();
}

}  // namespace

TEST_CASE("the second call with a package set installs nothing, and one with another set does") {
  Room room;
  REQUIRE(room.run({"humanize"}));
  CHECK(installs(room.sandboxes.take_steps()));
  REQUIRE(room.engine.wait_for(1));
  REQUIRE(room.answered_from_layer({"humanize"}));
  room.sandboxes.take_steps();
  REQUIRE(room.run({"humanize"}));
  CHECK_FALSE(installs(room.sandboxes.take_steps()));
  REQUIRE(room.run({"humanize==4"}));
  CHECK(installs(room.sandboxes.take_steps()));
}

TEST_CASE("a layer holds what the installer left and nothing of the user") {
  Room room;
  REQUIRE(room.run({"humanize"}));
  REQUIRE(room.engine.wait_for(1));
  const std::string archive = room.engine.archive();
  CHECK(archive.starts_with("humanize/__init__.py"));
  CHECK(archive.find("# made by strangers") != std::string::npos);
  CHECK(archive.find("of the user") == std::string::npos);
  CHECK(archive.find("main.py") == std::string::npos);
}

TEST_CASE("a layer that the engine lost costs one plain install") {
  Room room;
  REQUIRE(room.run({"humanize"}));
  REQUIRE(room.engine.wait_for(1));
  REQUIRE(room.answered_from_layer({"humanize"}));
  room.sandboxes.vanish();
  room.sandboxes.take_steps();
  REQUIRE(room.run({"humanize"}));
  CHECK(room.sandboxes.last_layer().empty());
  CHECK(installs(room.sandboxes.take_steps()));
}
