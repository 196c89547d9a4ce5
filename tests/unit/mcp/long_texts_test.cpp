#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "mcp/json_reader.hpp"

using codebox::Reason;
using codebox::mcp::read_json;
using nlohmann::json;

namespace {

constexpr std::size_t size = 100'000;
const std::string long_text(size, 'x');

std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

std::string why_not(const std::string& document) {
  const auto read = read_json(document);
  return read ? "" : read.failure().message;
}

}  // namespace

TEST_CASE("a long text is read as it stands, wherever that is") {
  const std::string other(size, 'y');
  const std::vector<std::string> documents = {
      quoted(long_text),
      "[" + quoted(long_text) + "]",
      "[" + quoted(long_text) + ",\"\"," + quoted(other) + ",\"z\"]",
      "[\"\", \"\\\"\", \"a\\\\\"," + quoted(long_text) + "]",
      R"({"a":)" + quoted(long_text) + R"(,"b":{"c":["d",)" + quoted(other) + R"(]},"e":"f"})",
      "{" + quoted(long_text) + " \n: 1, \"b\" : " + quoted(other) + "}",
      R"({"a":)" + quoted(long_text + "\\n\\u00fc" + other) + R"(,"b":)" + quoted(other) + "}",
      "[" + quoted(long_text + "Z\xC3\xBCrich \xF0\x9F\x98\x80" + other) + "]",
      R"({"a":"","b":)" + quoted(long_text) + R"(,"c":"{\"d\":\"e\"}"})",
  };
  for (const auto& document : documents) {
    INFO(document.substr(0, 30));
    const auto read = read_json(document);
    REQUIRE(read);
    CHECK((*read == json::parse(document)));
  }
}

TEST_CASE("what is no JSON is refused beside and within long texts, at its place in the whole") {
  const std::string before = R"({"a":)" + quoted(long_text);
  CHECK(why_not(before + "]") ==
        "The body is not JSON: it breaks at byte " + std::to_string(before.size() + 1) + ".");
  CHECK(why_not(R"({"a"])" + quoted(long_text) + "}") == "The body is not JSON: it breaks at byte 5.");
  for (const std::string& wrong :
       {quoted(long_text + '\n'), quoted("\t" + long_text), '"' + long_text, quoted(long_text + "\\"),
        quoted(long_text) + quoted(long_text), quoted(long_text + "\\x"), quoted(long_text + "\\ud800")}) {
    const auto read = read_json("[" + wrong + "]");
    REQUIRE_FALSE(read);
    CHECK(read.failure().reason == Reason::invalid);
  }
  CHECK(why_not(quoted(long_text + "\xFE")) == "The body is not valid UTF-8: send JSON as UTF-8.");
}

TEST_CASE("the bounds of JSON hold beside long texts") {
  CHECK(why_not(R"({"a":)" + quoted(long_text) + R"(,"a":1})") ==
        "The JSON names the member \"a\" twice in one object.");
  CHECK_FALSE(why_not("{" + quoted(long_text) + ":1," + quoted(long_text) + ":2}").empty());
  CHECK(why_not(std::string(100, '[') + quoted(long_text) + std::string(100, ']')) ==
        "The JSON is nested deeper than 64 levels.");
}
