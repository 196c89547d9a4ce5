#include "support.hpp"

using namespace codebox;
using namespace codebox::test;
using sandbox::Ending;

namespace {

// Says that it is ready, reads what it shall be, and shows its arguments and input.
const std::string waiting = R"(
  echo early; echo early >&2
  printf x >&3
  mapfile -t -d '' fields <&3
  exec 3<&-
  count=${fields[0]}
  echo "became ${fields[@]:1:count}, ${#fields[@]} fields, stdin ${fields[-1]}"
  [ "${fields[-1]}" = pipe ] && cat
  exit 7
)";

sandbox::Step step_of(std::vector<std::string> argv) {
  sandbox::Step step;
  step.argv = std::move(argv);
  step.env = {"PATH=/usr/local/bin:/usr/bin:/bin"};
  step.limit = 30s;
  return step;
}

struct Room : Jail {
  Result<std::uint64_t> preload(const std::string& script, std::stop_token cancel = {}) {
    return box->preload(step_of({"bash", "-c", script}), soon(), std::move(cancel));
  }
  sandbox::StepEnd take(const std::string& input = "", std::chrono::milliseconds limit = 30s) {
    printed = {};
    auto step = step_of({"echo", "fresh"});
    step.waiting = true;
    step.input = input;
    step.limit = limit;
    return box->step(step, printed, {});
  }
};

}  // namespace

TEST_CASE("a waiting process becomes the step that takes it") {
  Room room;
  REQUIRE(room.preload(waiting).ok());
  const auto end = room.take("for it");
  CHECK(end.ending == Ending::exited);
  CHECK(end.code == 7);
  CHECK(end.preloaded);
  // Two arguments, one variable, their counts, the folder and the kind of stdin. What it said before is not
  // there.
  CHECK(room.printed.out == "became echo fresh, 7 fields, stdin pipe\nfor it");
  CHECK(room.printed.err.empty());
}

TEST_CASE("a waiting process tells how much memory it holds for itself") {
  Room room;
  // Strings of a shell are its own; the program and its libraries are files that others share.
  const auto small = room.preload(waiting);
  REQUIRE(small.ok());
  CHECK(*small > 0);
  CHECK(*small < 20 << 20);
  REQUIRE(room.box->kill_all(soon()).ok());
  const auto large = room.preload("x=$(head -c 50000000 /dev/zero | tr '\\0' x)" + waiting);
  REQUIRE(large.ok());
  CHECK(*large > 48'000'000);
}

TEST_CASE("a waiting process is told when there is no input") {
  Room room;
  REQUIRE(room.preload(waiting).ok());
  CHECK(room.take().code == 7);
  CHECK(room.printed.out == "became echo fresh, 7 fields, stdin null\n");
}

TEST_CASE("without a waiting process the step runs as ever") {
  Room room;
  const auto end = room.take();
  CHECK(end.code == 0);
  CHECK_FALSE(end.preloaded);
  CHECK(room.printed.out == "fresh\n");
}

TEST_CASE("another step ends the waiting process first") {
  Room room;
  // By its own number in its own space of numbers: a look at command lines would also find those of other
  // tests.
  REQUIRE(room.preload("echo $$ >/tmp/pid" + waiting).ok());
  const std::string gone = "for i in {1..300}; do kill -0 $(</tmp/pid) || exit 0; sleep 0.1; done; exit 1";
  CHECK(room.shell("bash -c '" + gone + "'").code == 0);
  const auto end = room.take();
  CHECK_FALSE(end.preloaded);
  CHECK(room.printed.out == "fresh\n");
}

TEST_CASE("ending all processes ends the waiting one") {
  Room room;
  REQUIRE(room.preload(waiting).ok());
  REQUIRE(room.box->kill_all(soon()).ok());
  CHECK_FALSE(room.take().preloaded);
  CHECK(room.printed.out == "fresh\n");
}

TEST_CASE("a process that ends, or shuts its door, before it is ready has failed with its words") {
  Room room;
  const auto ended = room.preload("echo 'no such library' >&2; exit 1");
  REQUIRE_FALSE(ended.ok());
  CHECK(ended.failure().message.find("no such library") != std::string::npos);
  CHECK_FALSE(room.preload("exec 3<&-; sleep 1000").ok());
  CHECK_FALSE(room.preload("").ok());
  CHECK(room.take().code == 0);
}

TEST_CASE("what a process has left that never got ready is in no call's way") {
  Room room;
  const std::string file = std::string(sandbox::work_folder) + "/main.rb";
  const std::string stand_in = "cd " + std::string(sandbox::work_folder) + "; echo stand-in >main.rb; ";
  SECTION("as it ended") {
    REQUIRE_FALSE(room.preload(stand_in + "exit 1").ok());
  }
  SECTION("as a caller did not wait for it") {
    std::stop_source hurry;
    std::jthread caller([&] {
      std::this_thread::sleep_for(50ms);
      hurry.request_stop();
    });
    // It would remove the program's file, and make another one of that name.
    const auto loaded = room.preload("while :; do " + stand_in + "rm main.rb; done", hurry.get_token());
    REQUIRE(loaded.failure().reason == Reason::cancelled);
  }
  REQUIRE(room.put(file, "the program").ok());
  std::this_thread::sleep_for(20ms);
  CHECK(room.shell("cat " + file).code == 0);
  CHECK(room.printed.out == "the program");
}

TEST_CASE("a program to preload that is not there is said") {
  Room room;
  const auto missing = room.box->preload(step_of({"no-such-program"}), soon(), {});
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.failure().message.find("did not start") != std::string::npos);
  CHECK(room.take().code == 0);
}

TEST_CASE("a preload that is not waited for leaves a good sandbox") {
  Room room;
  std::stop_source stop;
  std::jthread hurry([&] { stop.request_stop(); });
  const auto loaded = room.preload("sleep 1000", stop.get_token());
  REQUIRE_FALSE(loaded.ok());
  CHECK(loaded.failure().reason == Reason::cancelled);
  CHECK(room.box->answers(soon()));
  CHECK_FALSE(room.take().preloaded);
  CHECK(room.printed.out == "fresh\n");
}

TEST_CASE("the limit of a step holds for a process that had waited") {
  Room room;
  REQUIRE(room.preload("printf x >&3; cat <&3 >/dev/null; sleep 1000").ok());
  const auto end = room.take("", 500ms);
  CHECK(end.ending == Ending::timed_out);
  CHECK(end.preloaded);
}

TEST_CASE("much is said before a process is ready, and none of it is kept") {
  Room room;
  REQUIRE(
      room.preload(
              "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; printf x >&3; cat <&3 >/dev/null")
          .ok());
  CHECK(room.take().preloaded);
  CHECK(room.printed.out.empty());
  CHECK(room.printed.err.empty());
}
