#include "runner_room.hpp"

using namespace runner_room;

TEST_CASE("an input that cannot be had starts no sandbox") {
  Room room;
  room.files.remote["a"] = "1";
  room.arguments.inputs = {{"a", "/sandbox/a", std::nullopt}, {"missing", "/sandbox/b", std::nullopt}};
  const run::Outcome outcome = room.run();
  CHECK(outcome.is_error);
  CHECK(has(outcome.text, "No file missing"));
  CHECK(room.world.acquired == 0);
}

TEST_CASE("an input over the limit starts no sandbox and names the limit") {
  Room room;
  room.options.max_file = 10;
  room.files.remote["a"] = std::string(11, 'x');
  room.arguments.inputs = {{"a", "", std::nullopt}};
  const run::Outcome outcome = room.run();
  CHECK(outcome.is_error);
  CHECK(has(outcome.text, "the limit is 10 B (SANDBOX_MAX_FILE_SIZE)"));
  CHECK(room.world.acquired == 0);
}

TEST_CASE("what lies in the output folder and what was named comes back, the program never") {
  Room room;
  room.arguments.outputs = {"/sandbox/extra.csv", "/sandbox/main.py", "/sandbox/none.txt"};
  room.world.on_step = [&](const sandbox::Step&, sandbox::OutputSink&) {
    room.world.files["/sandbox/output/plot.png"] = png;
    room.world.files["/sandbox/output/__pycache__/x.pyc"] = "x";
    room.world.files["/sandbox/extra.csv"] = "a";
    room.world.files["/sandbox/not-named.csv"] = "b";
    return exited(0);
  };
  const run::Outcome outcome = room.run();
  CHECK(room.files.stored == std::map<std::string, std::string>{{"extra.csv", "a"}, {"plot.png", png}});
  CHECK(has(outcome.text, "- ![plot.png](/files/plot.png)"));
  CHECK(has(outcome.text, "[not returned] /sandbox/main.py: is the program itself"));
  CHECK(has(outcome.text, "[not returned] /sandbox/none.txt: is not there"));
  REQUIRE(outcome.pictures.size() == 1);
  CHECK(outcome.pictures[0].mime_type == "image/png");
}

TEST_CASE("what was written for people beside the output folder is named where nothing comes back") {
  Room room;
  room.world.on_step = [&](const sandbox::Step&, sandbox::OutputSink&) {
    for (const char* name : {"plot.png", "cache.db", "deep/Table.CSV"})
      room.world.files[std::string("/sandbox/") + name] = "x";
    return exited(0);
  };
  const std::string note =
      R"([note] "/sandbox/deep/Table.CSV", "/sandbox/plot.png" were not returned: write to /sandbox/output)";
  CHECK(has(room.run().text, note));
  room.world.files["/sandbox/output/other.txt"] = "x";
  CHECK_FALSE(has(room.run().text, "not returned"));
}

TEST_CASE("an input is nothing that the program wrote") {
  Room room;
  room.arguments.inputs = {{"", "/sandbox/data.csv", "a,b"}};
  CHECK_FALSE(has(room.run().text, "not returned"));
}

TEST_CASE("two outputs of one name come back under two names") {
  Room room;
  room.world.on_step = [&](const sandbox::Step&, sandbox::OutputSink&) {
    room.world.files["/sandbox/output/a/x.csv"] = "1";
    room.world.files["/sandbox/output/b/x.csv"] = "2";
    return exited(0);
  };
  room.run();
  CHECK(room.files.stored == std::map<std::string, std::string>{{"a_x.csv", "1"}, {"b_x.csv", "2"}});
}

TEST_CASE("a file whose upload fails is named, and the others arrive") {
  Room room;
  room.files.refuse_upload_of = "empty.txt";
  room.world.on_step = [&](const sandbox::Step&, sandbox::OutputSink& output) {
    output.write(sandbox::Output::out, "done\n");
    room.world.files["/sandbox/output/empty.txt"] = "";
    room.world.files["/sandbox/output/full.txt"] = "x";
    return exited(0);
  };
  const run::Outcome outcome = room.run();
  CHECK(outcome.text.starts_with("done\n"));
  CHECK(has(outcome.text, "[not returned] /sandbox/output/empty.txt: is empty"));
  CHECK(room.files.stored.count("full.txt") == 1);
}

TEST_CASE("a file over the limit stays behind with both sizes") {
  Room room;
  room.options.max_file = 3;
  room.world.on_step = [&](const sandbox::Step&, sandbox::OutputSink&) {
    room.world.files["/sandbox/output/big"] = "1234";
    return exited(0);
  };
  CHECK(has(room.run().text, "[not returned] /sandbox/output/big: has 4 B; the limit is 3 B"));
}
