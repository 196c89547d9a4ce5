#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "folder.hpp"

using Catch::Matchers::ContainsSubstring;

TEST_CASE("a broken plugin is refused with its finding and a sentence") {
  struct Case {
    const char* plugin;
    const char* finding;
    const char* says;
  };
  const auto [plugin, finding, says] = GENERATE(
      Case{"no_entry", "entry", "does not export codebox_plugin_v1"},
      Case{"undefined", "symbol", "nobody_has_this_symbol"},
      Case{"declines", "declined", "this machine has  no moon"},
      Case{"null", "null", "no descriptor and no reason"}, Case{"other_major", "major", "version 2 "},
      Case{"newer_minor", "minor", "version 1.9 "}, Case{"crashes", "crashed", "Segmentation fault"},
      Case{"exits", "crashed", "exit status 0"}, Case{"throws", "crashed", "no luck today"},
      Case{"spins", "spun", "processor time"}, Case{"short_struct", "rule", "size"},
      Case{"bad_id", "rule", "id must have the form"}, Case{"no_run", "rule", "run must be a command"},
      Case{"bad_utf8", "rule", "hints must be"}, Case{"part_placeholder", "rule", "run must be a command"});
  CAPTURE(plugin);
  const Folder folder;
  folder.add(plugin);
  const auto refusal = folder.refusal();
  CHECK(refusal.file == std::string(plugin) + ".so");
  // On a loaded machine a spinning plugin may meet the wall clock first.
  const bool spun = refusal.finding == "spun";
  CHECK(refusal.finding == finding);
  CHECK_THAT(refusal.reason, ContainsSubstring(spun ? "did not give its descriptor" : says));
}

TEST_CASE("one bad plugin does not stop the others") {
  const Folder folder;
  folder.add("crashes", "a.so");
  folder.add("good", "b.so");
  folder.add("no_entry", "c.so");
  folder.add("longer_struct", "d.so");
  const auto registry = folder.load();
  REQUIRE(registry->languages.size() == 2);
  CHECK(registry->languages[0]->id == "good");
  CHECK(registry->languages[0]->file == "b.so");
  CHECK(registry->languages[1]->id == "longer");
  CHECK(registry->refused.size() == 2);
}

TEST_CASE("of two plugins with one language name the second is refused, and both are named") {
  const Folder folder;
  folder.add("good", "1.so");
  SECTION("the same id") {
    folder.add("good", "2.so");
  }
  SECTION("an alias") {
    folder.add("clash", "2.so");
  }
  const auto registry = folder.load();
  REQUIRE(registry->languages.size() == 1);
  REQUIRE(registry->refused.size() == 1);
  CHECK(registry->refused[0].file == "2.so");
  CHECK(registry->refused[0].finding == "clash");
  CHECK_THAT(registry->refused[0].reason, ContainsSubstring("1.so") && ContainsSubstring("2.so"));
}

TEST_CASE("a plugin is loaded without environment, descriptors and root") {
  const Folder folder;
  folder.add("snoops");
  CHECK_THAT(folder.refusal().reason, ContainsSubstring("0 descriptors, 0 variables, root 0"));
}

TEST_CASE("the Python plugin fills a whole language") {
  if (!std::filesystem::exists(SHIPPED_PLUGINS "/python.so"))
    SKIP("skipped: the Python plugin is not built here");
  const Folder folder;
  std::filesystem::copy_file(SHIPPED_PLUGINS "/python.so", folder.path() / "python.so");
  std::filesystem::permissions(folder.path() / "python.so", std::filesystem::perms(0644));
  const auto registry = folder.load();
  for (const auto& refusal : registry->refused) FAIL(refusal.reason);
  const auto python = registry->find("py");
  REQUIRE(python);
  CHECK(python->id == "python");
  CHECK(python->source_file == "main.py");
  CHECK(python->run.argv == std::vector<std::string>{"python3", "-u", "-B", "{support}/__main__.py", "run", "{source}"});
  REQUIRE(python->packages);
  CHECK(python->packages->extra_characters == "[]=<>!~*,+");
  CHECK(python->packages->install.argv.back() == "{packages}");
  CHECK(python->list_format == codebox::plugin::ListFormat::json);
  CHECK(python->list->time == std::chrono::seconds(20));
  REQUIRE(python->support.size() == 5);
  CHECK(python->support[0].name == "__main__.py");
  CHECK_THAT(python->support[0].bytes, ContainsSubstring("import sys\n"));
  CHECK(python->sample.output == "45\nHELLO\n");
  CHECK(registry->find("ruby") == nullptr);
}
