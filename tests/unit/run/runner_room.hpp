#pragma once
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "run/runner.hpp"
#include "support/example_language.hpp"
#include "support/fake_engine_images.hpp"
#include "support/fake_files.hpp"
#include "support/fake_sandbox.hpp"

/// A runner over sandboxes, images and files that are only told of. Each test owns one Room; one thread.
namespace runner_room {

using namespace codebox;

struct Room {
  run::Options options;
  testing::ImagesOnlyEngine engine;
  run::Images images{engine, run::Pull::missing};
  testing::FakeWorld world;
  testing::FakeSandboxes sandboxes{world};
  testing::FakeFiles files;
  run::Runner runner{options, images, sandboxes, files};
  run::Arguments arguments;

  Room() { arguments.code = "print(1)"; }
  run::Outcome run() { return runner.run(testing::example_language(), arguments, {"u1", "t", "", ""}, {}); }
  /// Position of an event, or -1.
  int at(const std::string& event) const {
    const auto found = std::find(world.events.begin(), world.events.end(), event);
    return found == world.events.end() ? -1 : static_cast<int>(found - world.events.begin());
  }
};

inline sandbox::StepEnd exited(int code) {
  return testing::ended(sandbox::Ending::exited, code);
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline const std::string png = "\x89PNG\r\n\x1a\nrest";

}  // namespace runner_room
