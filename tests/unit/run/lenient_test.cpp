#include "run/lenient.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

using namespace codebox::run;
using nlohmann::json;

namespace {

json read(const json& given, std::vector<std::string>* unknown = nullptr) {
  std::vector<std::string> names;
  return lenient::arguments(given, unknown ? *unknown : names);
}

}  // namespace

TEST_CASE("other names for an argument become ours, unless ours is there") {
  CHECK(read({{"script", "1"}, {"packages", {"a"}}, {"files", {"b"}}, {"timeout_seconds", 5}}) ==
        json({{"code", "1"}, {"libraries", {"a"}}, {"input_files", {"b"}}, {"timeout", 5}}));
  CHECK(read({{"code", "1"}, {"script", "2"}}) == json({{"code", "1"}}));
  CHECK(read({{"code", ""}, {"script", "2"}}) == json({{"code", "2"}}));
}

TEST_CASE("members that are no argument are named, absent ones are not") {
  std::vector<std::string> unknown;
  CHECK(read({{"code", "1"}, {"language", "python"}, {"session", nullptr}}, &unknown) ==
        json({{"code", "1"}}));
  CHECK(unknown == std::vector<std::string>{"language"});
}

TEST_CASE("arguments that were wrapped once more are unwrapped") {
  CHECK(read({{"arguments", {{"code", "1"}}}}) == json({{"code", "1"}}));
  CHECK(read({{"input", R"({"code":"1"})"}}) == json({{"code", "1"}}));
  CHECK(read({{"input", "{"}}) == json::object());
  CHECK(read(5) == 5);
}

TEST_CASE("absence is written in many ways") {
  for (const json& value : {json(), json(""), json(" \n"), json("null"), json("None"), json("undefined"),
                            json::array(), json::object()}) {
    json given = {{"a", value}};
    CHECK(lenient::taken(given, "a").is_null());
  }
  json given = json::object();
  CHECK(lenient::taken(given, "a").is_null());
  given = {{"a", 0}};
  CHECK(lenient::taken(given, "a") == 0);
}

TEST_CASE("a list may come as JSON or Python text, or as its one item") {
  const json both = {"a", "b"};
  CHECK(lenient::list(both) == both);
  CHECK(lenient::list(R"(["a", "b"])") == both);
  CHECK(lenient::list("['a', 'b']") == both);
  CHECK(lenient::list("[]") == json::array());
  CHECK(lenient::list(R"({"id":"a"})") == json::array({{{"id", "a"}}}));
  CHECK(lenient::list({{"id", "a"}}) == json::array({{{"id", "a"}}}));
  CHECK(lenient::list("[a") == json::array({"[a"}));
  CHECK(lenient::list(nullptr) == json::array());
}

TEST_CASE("names in one text are told apart, versions and extras stay with theirs") {
  using Words = std::vector<std::string>;
  CHECK(lenient::words("pandas, numpy") == Words{"pandas", "numpy"});
  CHECK(lenient::words("pandas numpy\nscipy") == Words{"pandas", "numpy", "scipy"});
  CHECK(lenient::words("requests>=2,<3, uvicorn[standard, x]==0.3") ==
        Words{"requests>=2,<3", "uvicorn[standard, x]==0.3"});
  CHECK(lenient::words("pandas >= 2") == Words{"pandas>=", "2"});
  CHECK(lenient::words(" ,, ") == Words{});
  CHECK(lenient::words("]]a b") == Words{"]]a", "b"});
}

TEST_CASE("a program comes without the fence that models put around it") {
  CHECK(lenient::program("```python\nprint(1)\n```") == "print(1)\n");
  CHECK(lenient::program("\n~~~\nprint(1)\n~~~ \n") == "print(1)\n");
  CHECK(lenient::program("```python\nprint(1)") == "print(1)");
  CHECK(lenient::program("print('```')\n```") == "print('```')\n```");
  CHECK(lenient::program("```") == "```");
  CHECK(lenient::program({"a = 1", "print(a)"}) == "a = 1\nprint(a)");
  CHECK_FALSE(lenient::program({"a", 5}).has_value());
  CHECK_FALSE(lenient::program("  ").has_value());
  CHECK_FALSE(lenient::program(nullptr).has_value());
}

TEST_CASE("standard input may be lines or a number") {
  CHECK(lenient::input("a\nb") == "a\nb");
  CHECK(lenient::input({"a", "b"}) == "a\nb");
  CHECK(lenient::input(42) == "42");
  CHECK(lenient::input(nullptr) == "");
  CHECK_FALSE(lenient::input({{"a", 1}}).has_value());
}

TEST_CASE("a duration is a number, also as text with its unit") {
  CHECK(lenient::seconds(5) == 5);
  CHECK(lenient::seconds("5") == 5);
  CHECK(lenient::seconds(" 5s ") == 5);
  CHECK(lenient::seconds("30 Seconds") == 30);
  CHECK(lenient::seconds("1.5 min") == 90);
  CHECK(lenient::seconds("500ms") == 0.5);
  CHECK_FALSE(lenient::seconds("soon").has_value());
  CHECK_FALSE(lenient::seconds("5 parsecs").has_value());
  CHECK_FALSE(lenient::seconds(true).has_value());
}

TEST_CASE("a path of another kind of sandbox is the same one here") {
  CHECK(lenient::path("sandbox:/mnt/data/a.csv") == "/sandbox/a.csv");
  CHECK(lenient::path("/mnt/data/out/a.csv") == "/sandbox/out/a.csv");
  CHECK(lenient::path("file:///tmp/a") == "/tmp/a");
  CHECK(lenient::path("/mnt/database") == "/mnt/database");
  CHECK(lenient::path("a.csv") == "a.csv");
}
