#include <catch2/catch_test_macros.hpp>
#include <codebox/plugin.hpp>

#include "plugin/descriptor.hpp"
#include "plugin/spec_json.hpp"

using namespace codebox::plugin;
using codebox::sdk::fault;
using codebox::sdk::rule;

namespace {

LanguageSpec good() {
  LanguageSpec s;
  s.id = "x";
  s.version = "1";
  s.display_name = "X";
  s.description = "Runs X.";
  s.image = "codebox/x:1";
  s.source_file = "main.x";
  s.run = {{"x", "{source}"}, std::chrono::milliseconds(5), 1u << 20};
  s.sample = {"code", "", "out"};
  s.packages = Packages{"X package", "a=1",   "=", 128,        64, {{"xpm", "{packages}"}, {}, 0},
                        {},          {"A=b"}, {},  {"X_INDEX"}};
  s.support = {{"run.x", std::string("\0\xff\x80 bytes", 9)}};
  s.hints = {{"*Error*", "Try again."}};
  s.aliases = {"ex"};
  return s;
}

std::string broken(void (*change)(LanguageSpec&)) {
  LanguageSpec s = good();
  change(s);
  return broken_rule(s);
}

}  // namespace

TEST_CASE("a whole language keeps the rules and survives its journey") {
  const auto spec = good();
  CHECK(broken_rule(spec).empty());
  const auto back = decode(encode(spec));
  REQUIRE(back.ok());
  CHECK(encode(*back) == encode(spec));
  CHECK(back->support[0].bytes == spec.support[0].bytes);
}

TEST_CASE("each rule is checked again on what the child sent") {
  using S = LanguageSpec;
  CHECK(broken([](S& s) { s.id = "X"; }) == rule(fault::id));
  CHECK(broken([](S& s) { s.id = std::string(17, 'a'); }) == rule(fault::id));
  CHECK(broken([](S& s) { s.version = "1 2"; }) == rule(fault::version));
  CHECK(broken([](S& s) { s.display_name = "a\nb"; }) == rule(fault::display_name));
  CHECK(broken([](S& s) { s.description = "\xff"; }) == rule(fault::description));
  CHECK(broken([](S& s) { s.image = "-v/:/host"; }) == rule(fault::image));
  CHECK(broken([](S& s) { s.source_file = "../x"; }) == rule(fault::source_file));
  CHECK(broken([](S& s) { s.source_file = ".x"; }) == rule(fault::source_file));
  CHECK(broken([](S& s) { s.aliases = {"a-b"}; }) == rule(fault::aliases));
  CHECK(broken([](S& s) { s.architectures = {"arm/64"}; }) == rule(fault::architectures));
  CHECK(broken([](S& s) { s.env = {"1A=b"}; }) == rule(fault::env));
  CHECK(broken([](S& s) { s.support[0].name = "a/b"; }) == rule(fault::support));
  CHECK(broken([](S& s) { s.support[0].bytes.assign((1 << 20) + 1, 'x'); }) == rule(fault::support));
  CHECK(broken([](S& s) { s.compile = Command{{"x", "{packages}"}, {}, 0}; }) == rule(fault::compile));
  CHECK(broken([](S& s) { s.run.argv.clear(); }) == rule(fault::run));
  CHECK(broken([](S& s) { s.run.argv = {"{source}"}; }) == rule(fault::run));
  CHECK(broken([](S& s) { s.run.argv.assign(65, "x"); }) == rule(fault::run));
  CHECK(broken([](S& s) { s.run.time = std::chrono::hours(2); }) == rule(fault::run));
  CHECK(broken([](S& s) { s.list = Command{{"x", "{source}"}, {}, 0}; }) == rule(fault::list));
  CHECK(broken([](S& s) { s.packages->most = 257; }) == rule(fault::packages));
  CHECK(broken([](S& s) { s.packages->noun.clear(); }) == rule(fault::noun));
  CHECK(broken([](S& s) { s.packages->extra_characters = ";"; }) == rule(fault::extra_characters));
  CHECK(broken([](S& s) { s.packages->example = "-r file"; }) == rule(fault::example));
  CHECK(broken([](S& s) { s.packages->install.argv = {"xpm"}; }) == rule(fault::install));
  CHECK(broken([](S& s) { s.packages->env = {"novalue"}; }) == rule(fault::packages_env));
  CHECK(broken([](S& s) { s.packages->index_variables = {"A=b"}; }) == rule(fault::index_variables));
  CHECK(broken([](S& s) { s.warm = {"x", "{source}"}; }) == rule(fault::warm));
  CHECK(broken([](S& s) { s.ignore = {""}; }) == rule(fault::ignore));
  CHECK(broken([](S& s) { s.hints[0].hint = std::string(513, 'x'); }) == rule(fault::hints));
  CHECK(broken([](S& s) { s.sample.code.clear(); }) == rule(fault::sample));
}

TEST_CASE("placeholders stand where they mean something, other braces for themselves") {
  CHECK(broken([](LanguageSpec& s) { s.run.argv = {"{dir}/app", "--in={source}"}; }).empty());
  CHECK(broken([](LanguageSpec& s) { s.env = {"X={prefix}/x"}; }).empty());
  CHECK(broken([](LanguageSpec& s) { s.env = {"X={source}"}; }) == rule(fault::env));
  CHECK(broken([](LanguageSpec& s) { s.packages->install.argv[1] = "-x={packages}"; }) ==
        rule(fault::install));
  CHECK(broken([](LanguageSpec& s) { s.list = Command{{"x", "-f=${Package}\t{…}"}, {}, 0}; }).empty());
}

TEST_CASE("an answer of another shape is refused, not converted") {
  CHECK_FALSE(decode("").ok());
  CHECK_FALSE(decode("[]").ok());
  CHECK_FALSE(decode("{}").ok());
  CHECK_FALSE(decode(encode(good()).substr(1)).ok());
  auto json = encode(good());
  const auto replaced = [&](const std::string& what, const std::string& with) {
    auto copy = json;
    copy.replace(copy.find(what), what.size(), with);
    return decode(copy).ok();
  };
  CHECK(replaced("\"time_ms\":5", "\"time_ms\":6"));
  CHECK_FALSE(replaced("\"time_ms\":5", "\"time_ms\":-5"));
  CHECK_FALSE(replaced("\"time_ms\":5", "\"time_ms\":1e300"));
  CHECK_FALSE(replaced("\"id\":\"x\"", "\"id\":\"x\\u0000y\""));
  CHECK_FALSE(replaced("\"hex\":\"00", "\"hex\":\"0g"));
}
