#include "run/arguments.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "support/example_language.hpp"

using namespace codebox;
using nlohmann::json;

namespace {

Result<run::Arguments> read(const json& arguments) {
  return run::read_arguments(arguments, testing::example_language());
}

std::string refusal(const json& arguments) {
  const auto read_them = read(arguments);
  REQUIRE_FALSE(read_them.ok());
  CHECK(read_them.failure().reason == Reason::invalid);
  return read_them.failure().message;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("code alone is enough, and comes through unchanged") {
  const std::string code = "print('''a\r\n$(b) \\\\ <<EOF\nEOF''')";
  const auto arguments = read({{"code", code}});
  REQUIRE(arguments.ok());
  CHECK(arguments->code == code);
  CHECK(arguments->libraries.empty());
  CHECK_FALSE(arguments->timeout.has_value());
}

TEST_CASE("a call without code is told so") {
  CHECK(has(refusal(json::object()), "`code` is missing"));
  CHECK(has(refusal({{"code", ""}}), "`code` is missing"));
  CHECK(has(refusal({{"code", nullptr}}), "`code` is missing"));
  CHECK(has(refusal(json::array()), "object"));
}

TEST_CASE("code that is no text is shown") {
  CHECK(refusal({{"code", 5}}) == "`code` must be a string, the whole program; it is 5.");
  CHECK(refusal({{"code", {{"a", 1}}}}) == "`code` must be a string, the whole program; it is {\"a\":1}.");
}

TEST_CASE("base64 may be in lines, without padding and of the alphabet of URLs") {
  for (const char* text :
       {"+/8AAQ==", "+/8A\r\nAQ==\n", "+/8AAQ", "-_8AAQ==", " -_8AAQ", "data:a/b;base64,+/8AAQ=="}) {
    INFO(text);
    const auto arguments = read({{"code", "1"}, {"input_files", {{{"path", "a"}, {"base64", text}}}}});
    REQUIRE(arguments.ok());
    CHECK(arguments->inputs[0].content == std::string("\xfb\xff\0\1", 4));
  }
  for (const char* text : {"@@@", "A", "AA=A", "AAEC!"}) {
    INFO(text);
    CHECK(refusal({{"code", "1"}, {"input_files", {{{"path", "a.bin"}, {"base64", text}}}}}) ==
          "The `base64` of the input file \"a.bin\" is not base64: encode the file's bytes anew, or give its "
          "content as "
          "`text`.");
  }
}

TEST_CASE("a file with two contents is refused, an empty one is none") {
  CHECK(refusal({{"code", "1"}, {"input_files", {{{"path", "a"}, {"text", "x"}, {"base64", "AAEC"}}}}}) ==
        "The input file \"a\" has both `text` and `base64`: give one of them.");
  const auto arguments =
      read({{"code", "1"}, {"input_files", {{{"path", "a"}, {"text", ""}, {"base64", "AAEC"}}}}});
  REQUIRE(arguments.ok());
  CHECK(arguments->inputs[0].content == std::string("\0\1\2", 3));
}

TEST_CASE("a path that no sandbox has says what is wrong with it") {
  const auto why = [](const std::string& path) {
    const auto checked = run::writable_path(path);
    REQUIRE_FALSE(checked.ok());
    return checked.failure().message;
  };
  CHECK(has(why(""), "is empty:"));
  CHECK(has(why(std::string("a\0b", 3)), "holds a NUL:"));
  CHECK(has(why("a\xff"), "is no UTF-8:"));
  CHECK(has(why(std::string(256, 'a')), "has a name of more than 255 bytes:"));
  std::string deep = "d";
  for (int i = 0; i < 62; ++i) deep += "/d";
  CHECK(run::writable_path(deep).ok());
  CHECK(has(why(deep + "/d"), "has more than 64 parts:"));
  std::string lengthy;
  for (int i = 0; i < 20; ++i) lengthy += std::string(200, 'a') + '/';
  CHECK(has(why(lengthy + "a"), "has more than 4000 bytes:"));
}

TEST_CASE("empty optional arguments count as absent") {
  const auto arguments = read({{"code", "1"},
                               {"libraries", ""},
                               {"input_files", json::array()},
                               {"output_files", nullptr},
                               {"timeout", 0}});
  REQUIRE(arguments.ok());
  CHECK(arguments->libraries.empty());
  CHECK_FALSE(arguments->timeout.has_value());
}

TEST_CASE("a list that came as JSON text is read as that list") {
  const auto arguments = read({{"code", "1"}, {"libraries", R"(["pandas==2.*", "uvicorn[standard]"])"}});
  REQUIRE(arguments.ok());
  CHECK(arguments->libraries == std::vector<std::string>{"pandas==2.*", "uvicorn[standard]"});
}

TEST_CASE("a single value counts as a list of one") {
  const auto arguments = read({{"code", "1"}, {"libraries", "Flask"}, {"input_files", "3f2c"}});
  REQUIRE(arguments.ok());
  CHECK(arguments->libraries == std::vector<std::string>{"Flask"});
  REQUIRE(arguments->inputs.size() == 1);
  CHECK(arguments->inputs[0].reference == "3f2c");
  CHECK(arguments->inputs[0].path.empty());
}

TEST_CASE("input files are references with a path, or bring their content") {
  const auto arguments = read({{"code", "1"},
                               {"input_files",
                                {{{"id", "abc"}, {"path", "data/sales.csv"}},
                                 {{"path", "/tmp/note.txt"}, {"text", "hello"}},
                                 {{"path", "raw.bin"}, {"base64", "AAEC"}}}}});
  REQUIRE(arguments.ok());
  REQUIRE(arguments->inputs.size() == 3);
  CHECK(arguments->inputs[0].path == "/sandbox/data/sales.csv");
  CHECK(arguments->inputs[1].path == "/tmp/note.txt");
  CHECK(arguments->inputs[1].content == "hello");
  CHECK(arguments->inputs[2].content == std::string("\0\1\2", 3));
}

TEST_CASE("an input file without a reference or content is refused") {
  CHECK(has(refusal({{"code", "1"}, {"input_files", {{{"path", "x"}}}}}), "needs an `id`"));
  CHECK(has(refusal({{"code", "1"}, {"input_files", {{{"text", "x"}}}}}), "needs a `path`"));
}

TEST_CASE("two inputs for one path are refused by name") {
  const json files = {{{"id", "a"}, {"path", "x.csv"}}, {{"id", "b"}, {"path", "./x.csv"}}};
  CHECK(has(refusal({{"code", "1"}, {"input_files", files}}), "\"/sandbox/x.csv\""));
}

TEST_CASE("an input never takes the place of the program") {
  CHECK(has(refusal({{"code", "1"}, {"input_files", {{{"id", "a"}, {"path", "main.py"}}}}}),
            "where the program itself lies"));
}

TEST_CASE("a path that leaves the writable places is refused by name") {
  for (const char* path :
       {"../../etc/passwd", "/etc/passwd", "a/../../b", "/packages/x", "/sandbox/../etc/x", "/tmpx/y"}) {
    const std::string message = refusal({{"code", "1"}, {"output_files", {path}}});
    CHECK(has(message, path));
    CHECK(has(message, "/sandbox"));
  }
}

TEST_CASE("odd but harmless names are paths like any other") {
  for (const std::string path : {"x; rm -rf /x", "Simple – Générer.js", "数据 表.csv", "it's \"quoted\".txt",
                                 "..a/b..", "$(reboot)"}) {
    const auto checked = run::writable_path(path);
    REQUIRE(checked.ok());
    CHECK(*checked == "/sandbox/" + path);
  }
  CHECK(run::writable_path(std::string(255, 'n')).ok());
  CHECK_FALSE(run::writable_path(std::string(256, 'n')).ok());
}

TEST_CASE("a timeout is a number of seconds, also as text") {
  CHECK(read({{"code", "1"}, {"timeout", 2.5}})->timeout == std::chrono::milliseconds(2500));
  CHECK(read({{"code", "1"}, {"timeout", "3"}})->timeout == std::chrono::milliseconds(3000));
  CHECK(has(refusal({{"code", "1"}, {"timeout", "soon"}}), "`timeout`"));
  CHECK(has(refusal({{"code", "1"}, {"timeout", -1}}), "`timeout`"));
}

TEST_CASE("what was ignored is noted, and named where there is no code") {
  const auto arguments = read({{"code", "1"}, {"lang", "python"}});
  REQUIRE(arguments.ok());
  REQUIRE(arguments->notes.size() == 1);
  CHECK(has(arguments->notes[0], "\"lang\""));
  CHECK(has(refusal({{"lang", "python"}, {"text", "1"}}), "there is only \"lang\", \"text\""));
}

TEST_CASE("an input file's content and name are known under the names that models use") {
  const auto arguments = read({{"code", "1"},
                               {"input_files",
                                {{{"filename", "a.csv"}, {"content", "x,y"}},
                                 {{"name", "b.bin"}, {"base64", "data:application/x;base64,AAEC"}},
                                 {{"file_id", "c"}, {"path", "sandbox:/mnt/data/c.csv"}},
                                 {{"name", "d.csv"}}}}});
  REQUIRE(arguments.ok());
  CHECK(arguments->inputs[0].path == "/sandbox/a.csv");
  CHECK(arguments->inputs[0].content == "x,y");
  CHECK(arguments->inputs[0].reference.empty());
  CHECK(arguments->inputs[1].content == std::string("\0\1\2", 3));
  CHECK(arguments->inputs[2].path == "/sandbox/c.csv");
  CHECK(arguments->inputs[3].reference == "d.csv");
}

TEST_CASE("outputs may be named as other sandboxes name them, and as whole folders") {
  const auto arguments = read({{"code", "1"}, {"output_files", {"/mnt/data/plot.png", "results/"}}});
  REQUIRE(arguments.ok());
  CHECK(arguments->outputs == std::vector<std::string>{"/sandbox/plot.png", "/sandbox/results/**"});
}

TEST_CASE("one text of libraries is as many as it holds") {
  CHECK(read({{"code", "1"}, {"libraries", "pandas, numpy>=1,<3"}})->libraries ==
        std::vector<std::string>{"pandas", "numpy>=1,<3"});
  CHECK(has(refusal({{"code", "1"}, {"libraries", "pandas --index-url=http://evil"}}), "--index-url"));
}

TEST_CASE("package specifiers of the ecosystem are accepted") {
  for (const char* name :
       {"pandas==2.*", "uvicorn[standard]", "Flask", "requests>=2,<3", "a~=1.2", "zope.interface"}) {
    CHECK(read({{"code", "1"}, {"libraries", {name}}}).ok());
  }
}

TEST_CASE("what an installer could take for something else is refused with an example") {
  for (const char* name : {"foo; rm -rf /", "--index-url=http://evil", "-r file", "git+https://x/y",
                           "file:///etc/passwd", "../x", "", "a b", "a@http://x", "./local", "a\nb"}) {
    const std::string message = refusal({{"code", "1"}, {"libraries", json::array({name})}});
    CHECK(has(message, "humanize==4.*"));
  }
  CHECK(has(refusal({{"code", "1"}, {"libraries", {"numpy\u00a0"}}}), "holds \"\u00a0\":"));
  CHECK(has(refusal({{"code", "1"}, {"libraries", {"\uff4eumpy"}}}), "begins with \"\uff4e\":"));
  const std::vector<std::string> many(500, "a");
  CHECK(has(refusal({{"code", "1"}, {"libraries", many}}), "500"));
}

TEST_CASE("the schema names every argument and nothing else") {
  const json schema = json::parse(run::run_schema(testing::example_language(), std::chrono::seconds(60)));
  std::vector<std::string> names;
  for (const auto& [name, property] : schema["properties"].items()) names.push_back(name);
  CHECK(names ==
        std::vector<std::string>{"code", "input_files", "libraries", "output_files", "stdin", "timeout"});
  CHECK(schema["required"] == json::array({"code"}));
  CHECK(schema["type"] == "object");
}
