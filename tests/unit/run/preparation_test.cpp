#include "run/preparation.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "support/example_language.hpp"

using namespace codebox;

namespace {

struct Room {
  plugin::LanguageSpec language = testing::example_language();
  run::Options options;
  run::Arguments arguments;
  engine::ImageInfo image{"sha256:1", {"PATH=/bin"}, "amd64"};
  std::vector<run::PlacedInput> inputs;

  Room() { language.warm = {"python3", "{support}", "wait"}; }
  bool may() const { return run::may_have_waited(language, arguments, inputs, options); }
  bool may_with(const std::string& path) {
    inputs.resize(1);
    inputs[0].path = path;
    return may();
  }
};

}  // namespace

TEST_CASE("what waits has the support files and a process, and nothing of a call") {
  Room room;
  const auto made = run::preparation(room.language, room.image, room.options);
  CHECK(made.image_id == "sha256:1");
  CHECK(made.files.size() == room.language.support.size());
  CHECK(made.waiting.argv == std::vector<std::string>{"python3", "/tmp/.support", "wait"});
  CHECK(std::count(made.waiting.env.begin(), made.waiting.env.end(), "PATH=/bin") == 1);
  CHECK(made.waiting.cwd == "/sandbox");
}

TEST_CASE("no process waits where it could differ, or has no room") {
  Room room;
  SECTION("the language has none") {
    room.language.warm.clear();
  }
  SECTION("programs get variables of the operator") {
    room.options.env["python"] = {"A=1"};
  }
  SECTION("little memory") {
    room.options.limits.memory = 100ULL << 20;
  }
  room.language.id = "python";
  CHECK(run::preparation(room.language, room.image, room.options).waiting.argv.empty());
}

TEST_CASE("a program may take a waiting process unless something of the call could be loaded by it") {
  Room room;
  CHECK(room.may());
  for (const char* data : {"/sandbox/a.csv", "/sandbox/data.json", "/sandbox/A.XLSX", "/sandbox/a b.zip"}) {
    CAPTURE(data);
    CHECK(room.may_with(data));
  }
  for (const char* loaded :
       {"/sandbox/json.py", "/sandbox/A.PY", "/sandbox/pandas/a.csv", "/sandbox/matplotlibrc",
        "/sandbox/.pdbrc", "/sandbox/x.so", "/sandbox/package.json", "/tmp/home/a.csv"}) {
    CAPTURE(loaded);
    CHECK_FALSE(room.may_with(loaded));
  }
  room.inputs.clear();
  room.arguments.libraries = {"humanize"};
  CHECK_FALSE(room.may());
  room.arguments.libraries.clear();
  const std::string index = room.language.packages->index_variables.at(0) + "=https://index.example/simple";
  room.options.env[room.language.id] = {index};
  CHECK(room.may());
  CHECK_FALSE(run::preparation(room.language, room.image, room.options).waiting.argv.empty());
  room.options.env[room.language.id] = {index, "A=1"};
  CHECK_FALSE(room.may());
}
