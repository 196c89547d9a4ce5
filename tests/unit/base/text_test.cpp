#include "base/text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

namespace text = codebox::text;
using namespace std::string_literals;

namespace {

const std::string mark = "\xEF\xBF\xBD";  // U+FFFD

}  // namespace

TEST_CASE("each maximal ill-formed part becomes one replacement mark") {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"", ""},
      {"plain", "plain"},
      {"Z\xC3\xBCrich \xE2\x82\xAC \xF0\x9F\x98\x80", "Z\xC3\xBCrich \xE2\x82\xAC \xF0\x9F\x98\x80"},
      {"a\xFE"
       "b",
       "a" + mark + "b"},
      {"a\xFF\xFE"
       "b",
       "a" + mark + mark + "b"},
      {"\x80", mark},
      {"a\xC3", "a" + mark},
      {"a\xE2\x82", "a" + mark},
      {"a\xF0\x9F\x98", "a" + mark},
      {"\xE2\x82x", mark + "x"},
      {"\xF0\x9F\xE2\x82\xAC", mark + "\xE2\x82\xAC"},
      {"\xC0\xAF", mark + mark},
      {"\xC1\xBF", mark + mark},
      {"\xE0\x80\xAF", mark + mark + mark},
      {"\xF0\x80\x80\xAF", mark + mark + mark + mark},
      {"\xED\xA0\x80", mark + mark + mark},
      {"\xED\xBF\xBF", mark + mark + mark},
      {"\xED\x9F\xBF\xEE\x80\x80", "\xED\x9F\xBF\xEE\x80\x80"},
      {"\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
      {"\xF4\x90\x80\x80", mark + mark + mark + mark},
      {"\xF5\x80", mark + mark},
      {"a\0b"s, "a\0b"s},
  };
  for (const auto& [bytes, expected] : table) {
    bool replaced = false;
    CHECK(text::to_utf8(bytes, &replaced) == expected);
    CHECK(replaced == (bytes != expected));
    CHECK(text::is_utf8(bytes) == (bytes == expected));
    CHECK(text::is_utf8(text::to_utf8(bytes)));
  }
}

TEST_CASE("an ill-formed byte is found wherever it stands in plain text") {
  for (std::size_t i = 0; i < 40; ++i) {
    std::string bytes(40, 'a');
    bytes[i] = '\xFE';
    CHECK_FALSE(text::is_utf8(bytes));
    CHECK(text::to_utf8(bytes) == std::string(i, 'a') + mark + std::string(39 - i, 'a'));
  }
}

TEST_CASE("a prefix and a suffix never cut a code point") {
  const std::string euro =
      "a\xE2\x82\xAC"
      "b";
  CHECK(text::prefix(euro, 0).empty());
  CHECK(text::prefix(euro, 1) == "a");
  CHECK(text::prefix(euro, 2) == "a");
  CHECK(text::prefix(euro, 3) == "a");
  CHECK(text::prefix(euro, 4) == "a\xE2\x82\xAC");
  CHECK(text::prefix(euro, 5) == euro);
  CHECK(text::prefix(euro, 99) == euro);
  CHECK(text::suffix(euro, 0).empty());
  CHECK(text::suffix(euro, 1) == "b");
  CHECK(text::suffix(euro, 3) == "b");
  CHECK(text::suffix(euro, 4) ==
        "\xE2\x82\xAC"
        "b");
  CHECK(text::suffix(euro, 99) == euro);
}

TEST_CASE("text for a log stays on one line") {
  CHECK(text::one_line("a\nb\tc\x7F"
                       "d\r") == "a b c d ");
  CHECK(text::one_line("a\xFE") == "a" + mark);
}

TEST_CASE("a JSON string escapes what JSON demands") {
  CHECK(text::json_string("say \"hi\"\\\n\x01") == R"("say \"hi\"\\\u000a\u0001")");
  CHECK(text::json_string("\xC3\xBC\xFE") == "\"\xC3\xBC" + mark + '"');
}

TEST_CASE("a quoted value is short, on one line and between quotes") {
  CHECK(text::quoted("abc") == "\"abc\"");
  CHECK(text::quoted("a\nb") == "\"a b\"");
  CHECK(text::quoted("abcdef", 3) == "\"abc...\"");
  CHECK(text::quoted("ab\xE2\x82\xAC", 3) == "\"ab...\"");
  CHECK(text::quoted("") == "\"\"");
}

TEST_CASE("a size is told in its largest unit") {
  CHECK(text::size(0) == "0 B");
  CHECK(text::size(1023) == "1023 B");
  CHECK(text::size(1024) == "1 KiB");
  CHECK(text::size(1536) == "1.5 KiB");
  CHECK(text::size(52428800) == "50 MiB");
  CHECK(text::size(1ULL << 30U) == "1 GiB");
  CHECK(text::size(5ULL << 40U) == "5120 GiB");
}

TEST_CASE("text is split at every separator") {
  CHECK(text::split("a,b,,c", ',') == std::vector<std::string>{"a", "b", "", "c"});
  CHECK(text::split("", ',') == std::vector<std::string>{""});
  CHECK(text::split("a,", ',') == std::vector<std::string>{"a", ""});
}

TEST_CASE("parts are joined with the separator between them") {
  CHECK(text::join({}, ", ").empty());
  CHECK(text::join({"a"}, ", ") == "a");
  CHECK(text::join({"a", "b"}, ", ") == "a, b");
}

TEST_CASE("blanks around text are removed and those inside stay") {
  CHECK(text::trim(" \t a b \r\n") == "a b");
  CHECK(text::trim(" \n ").empty());
  CHECK(text::trim("").empty());
}

TEST_CASE("lower case changes ASCII letters alone") {
  CHECK(text::lower("MCP-Z\xC3\x9C") == "mcp-z\xC3\x9C");
}

TEST_CASE("a glob matches as a shell's would, across slashes too") {
  CHECK(text::matches("*.csv", "out/a.csv"));
  CHECK(text::matches("*", ""));
  CHECK(text::matches("", ""));
  CHECK(text::matches("a?c", "abc"));
  CHECK(text::matches("a*b*c", "a--b--b--c"));
  CHECK(text::matches("**", "anything"));
  CHECK_FALSE(text::matches("a?c", "ac"));
  CHECK_FALSE(text::matches("*.csv", "a.csv.gz"));
  CHECK_FALSE(text::matches("", "a"));
  CHECK_FALSE(text::matches("[ab]", "a"));
  CHECK(text::matches("[ab]", "[ab]"));
  CHECK(text::matches("*a", "*b*a"));
}

TEST_CASE("a glob of many stars ends soon") {
  std::string glob;
  for (int i = 0; i < 200; ++i) glob += "*a";
  CHECK_FALSE(text::matches(glob + "b", std::string(20000, 'a')));
}

TEST_CASE("the distance counts single-character edits") {
  CHECK(text::distance("", "") == 0);
  CHECK(text::distance("abc", "") == 3);
  CHECK(text::distance("", "abc") == 3);
  CHECK(text::distance("kitten", "sitting") == 3);
  CHECK(text::distance("JWT_SECRTE", "JWT_SECRET") == 2);
  CHECK(text::distance("same", "same") == 0);
}

TEST_CASE("numbers within names sort as numbers") {
  CHECK(text::numbers_before("figure-2.png", "figure-10.png"));
  CHECK_FALSE(text::numbers_before("figure-10.png", "figure-2.png"));
  CHECK(text::numbers_before("a007", "a8"));
  CHECK(text::numbers_before("a", "b"));
  CHECK(text::numbers_before("a", "a1"));
  CHECK_FALSE(text::numbers_before("a1", "a1"));
  CHECK(text::numbers_before("x99999999999999999999998", "x99999999999999999999999"));
}
