#include "run/progress.hpp"

#include <catch2/catch_test_macros.hpp>
#include <regex>

#include "run/runner.hpp"
#include "support/example_language.hpp"
#include "support/fake_chat_events.hpp"
#include "support/fake_engine_images.hpp"
#include "support/fake_files.hpp"
#include "support/fake_sandbox.hpp"

using namespace codebox;

namespace {

struct Room {
  run::Options options;
  testing::ImagesOnlyEngine engine;
  run::Images images{engine, run::Pull::missing};
  testing::FakeWorld world;
  testing::FakeSandboxes sandboxes{world};
  testing::FakeFiles files;
  testing::FakeChatEvents chat;
  run::Runner runner{options, images, sandboxes, files, nullptr, &chat};
  run::Arguments arguments;

  Room() { arguments.code = "print(1)"; }
  void run() { (void)runner.run(testing::example_language(), arguments, {"u1", "t", "", ""}, {}); }
  // The last line with its seconds as "T".
  std::string last() const {
    return std::regex_replace(chat.said.back(), std::regex("[0-9]+[.][0-9] s"), "T");
  }
  void end_with(sandbox::Ending ending, int code, const std::string& err = "", bool memory = false) {
    world.on_step = [=](const sandbox::Step&, sandbox::OutputSink& output) {
      if (!err.empty()) output.write(sandbox::Output::err, err);
      auto end = testing::ended(ending, code);
      end.out_of_memory = memory;
      return end;
    };
  }
};

const std::string who = testing::example_language().display_name;

}  // namespace

TEST_CASE("the chat is told each part of a call in its order") {
  Room room;
  room.files.remote["sales.csv"] = "a,b\n";
  room.arguments.inputs = {{"sales.csv", "/sandbox/sales.csv", std::nullopt}};
  room.arguments.libraries = {"humanize", "pandas"};
  room.end_with(sandbox::Ending::exited, 0);
  room.run();
  const std::vector<std::string> expected = {who + ": looking for files", who + ": waiting for a sandbox",
                                             who + ": installing humanize, pandas...",
                                             who + ": fetching sales.csv", who + ": running..."};
  REQUIRE(room.chat.said.size() == expected.size() + 1);
  CHECK(std::vector<std::string>(room.chat.said.begin(), room.chat.said.end() - 1) == expected);
  CHECK(room.last() == "[" + who + ": done in T]");
}

TEST_CASE("the chat is told why a call failed") {
  Room room;
  std::string expected;
  SECTION("in the program's own last words") {
    room.end_with(sandbox::Ending::exited, 1, "Traceback\n  x\nZeroDivisionError: division by zero\n\n");
    expected = "failed after T: ZeroDivisionError: division by zero";
  }
  SECTION("memory") {
    room.end_with(sandbox::Ending::signalled, 9, "", true);
    expected = "failed: out of memory, of which it may use 500 MiB";
  }
  SECTION("time") {
    room.end_with(sandbox::Ending::timed_out, 0);
    expected = "failed: out of time after T";
  }
  SECTION("Stop") {
    room.end_with(sandbox::Ending::cancelled, 0);
    expected = "stopped after T";
  }
  SECTION("nothing ran") {
    room.arguments.inputs = {{"no such.csv", "", std::nullopt}};
    expected = "not run. No file no such.csv among this person's files.";
  }
  room.run();
  CHECK(room.last() == "[" + who + ": " + expected + "]");
}

TEST_CASE("files that do not stand in the result are attached to the message") {
  Room room;
  room.end_with(sandbox::Ending::exited, 0);
  room.world.files["/sandbox/output/a.csv"] = "x";
  room.world.files["/sandbox/output/b.png"] = "\x89PNG\r\n\x1a\nrest";
  room.run();
  REQUIRE(room.chat.attached.size() == 1);
  CHECK(room.chat.attached[0].name == "a.csv");
  CHECK(room.last() == "[" + who + ": done in T, 2 files]");
}

TEST_CASE("pages that a program wrote stand in the chat unless the operator says otherwise") {
  Room room;
  room.end_with(sandbox::Ending::exited, 0);
  room.world.files["/sandbox/output/map.html"] = "<p>map</p>";
  SECTION("on") {}
  SECTION("off") {
    room.options.embeds = false;
  }
  room.run();
  CHECK(room.chat.embedded.size() == (room.options.embeds ? 1 : 0));
  CHECK(room.chat.attached.size() == 1);
}
