#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "folder.hpp"
#include "plugin/load.hpp"
#include "plugin/tool_call.hpp"

using namespace codebox;
using namespace codebox::plugin;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using namespace std::chrono_literals;

namespace {

LanguageSpec loaded(const std::string& name) {
  const Folder folder;
  auto result = load_file(PLUGIN_HOST, folder.add(name));
  REQUIRE(result);
  REQUIRE(std::holds_alternative<LanguageSpec>(result->language));
  return std::get<LanguageSpec>(std::move(result->language));
}

/// The tools of one plugin, whose file is gone since it was loaded.
struct Plugin {
  explicit Plugin(const std::string& name) : spec(loaded(name)) {}

  const Tool& tool(const std::string& name) const {
    for (const Tool& one : spec.tools) {
      if (one.name == name) return one;
    }
    throw std::runtime_error("no tool " + name);
  }
  Result<ToolOutcome> call(const std::string& name, std::chrono::milliseconds time = 60s,
                           std::stop_token cancel = {}, const std::string& arguments = "{}") {
    const auto tell = [this](const ToolNotice& notice) {
      notices.push_back(notice);
      told();
    };
    return call_tool(PLUGIN_HOST, {tool(name), *spec.library, arguments, time, std::move(cancel), tell});
  }

  LanguageSpec spec;
  std::vector<ToolNotice> notices;
  std::function<void()> told = [] {};
};

}  // namespace

TEST_CASE("a plugin's tools are described as they are written") {
  const Plugin plugin("conformance");
  const Tool& tool = plugin.tool("test_structured");
  CHECK(tool.title == "Echo");
  CHECK(tool.output_schema == R"({"type":"object"})");
  CHECK(tool.annotations == R"({"readOnlyHint":true})");
  CHECK_THAT(plugin.tool("json_schema_2020_12_tool").input_schema,
             ContainsSubstring(R"("$anchor":"addressDef")"));
  CHECK(loaded("good").tools.empty());
  CHECK_FALSE(loaded("good").library);
}

TEST_CASE("tools answer with every kind of content") {
  Plugin plugin("conformance");
  const auto mixed = plugin.call("test_multiple_content_types");
  REQUIRE(mixed);
  REQUIRE(mixed->content.size() == 3);
  CHECK(mixed->content[0].data == "Multiple content types test:");
  CHECK(mixed->content[1].kind == ToolContent::Kind::image);
  CHECK(mixed->content[1].mime_type == "image/png");
  CHECK(mixed->content[2].kind == ToolContent::Kind::resource);
  CHECK(mixed->content[2].uri == "test://mixed-content-resource");
  CHECK(mixed->content[2].data == R"({"test":"data","value":123})");
  const auto audio = plugin.call("test_audio_content");
  REQUIRE(audio);
  CHECK(audio->content.at(0).kind == ToolContent::Kind::audio);
  const auto failed = plugin.call("test_error_handling");
  REQUIRE(failed);
  CHECK(failed->is_error);
  const auto refused = plugin.call("test_missing_capability");
  REQUIRE(refused);
  REQUIRE(refused->error);
  CHECK(refused->error->code == -32021);
  CHECK(refused->error->data == R"({"requiredCapabilities":{"sampling":{}}})");
}

TEST_CASE("arguments of a MiB reach a tool whole, larger ones are refused") {
  Plugin plugin("conformance");
  const std::string text = R"({"text":")" + std::string((1U << 20) - 64, 'x') + "\"}";
  const auto echo = plugin.call("test_structured", 60s, {}, text);
  REQUIRE(echo);
  CHECK(echo->structured == text);
  const auto refused = plugin.call("test_structured", 60s, {}, text + std::string(64, ' '));
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().reason == Reason::too_large);
}

TEST_CASE("a tool tells how far it is") {
  Plugin plugin("conformance");
  REQUIRE(plugin.call("test_tool_with_progress"));
  REQUIRE(plugin.notices.size() == 3);
  CHECK(plugin.notices[1].value == 50);
  CHECK(plugin.notices[1].total == 100);
  CHECK(plugin.notices[1].message == "Completed step 50 of 100");
  plugin.notices.clear();
  REQUIRE(plugin.call("test_tool_with_logging"));
  REQUIRE(plugin.notices.size() == 3);
  CHECK(plugin.notices[0].level == "info");
  CHECK(plugin.notices[0].data == "\"Tool execution started\"");
}

TEST_CASE("what breaks the contract ends the call with a sentence, and nothing else") {
  struct Case {
    const char* tool;
    Reason reason;
    const char* says;
  };
  const auto [tool, reason, says] =
      GENERATE(Case{"crashes", Reason::gone, "crashed (signal 11, Segmentation fault)"},
               Case{"ends", Reason::gone, "crashed (its process ended with exit status 3)"},
               Case{"floods", Reason::internal, "larger than 8 MiB"},
               Case{"chats", Reason::internal, "more than 64 content blocks"},
               Case{"no_json", Reason::internal, "no JSON of UTF-8"},
               Case{"no_utf8", Reason::internal, "no JSON of UTF-8"},
               Case{"deep", Reason::internal, "nested 32 levels"},
               Case{"svg", Reason::internal, "an image of the type \"image/svg+xml\""},
               Case{"no_base64", Reason::internal, "not base64"},
               Case{"unknown", Reason::internal, "a content block of the type \"hologram\""},
               Case{"script", Reason::internal, "a link without a URI"},
               Case{"returns_7", Reason::internal, "neither 0 nor 1"},
               Case{"forges", Reason::internal, "unknown kind"},
               Case{"unstructured", Reason::internal, "has an output_schema"});
  CAPTURE(tool);
  Plugin plugin("hostile_tools");
  const auto outcome = plugin.call(std::string("hostile_") + tool);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.failure().reason == reason);
  CHECK_THAT(outcome.failure().message, ContainsSubstring(says));
  CHECK_THAT(outcome.failure().message, StartsWith(std::string("The tool hostile_") + tool));
}

TEST_CASE("a tool that does not end is stopped at its time") {
  Plugin plugin("hostile_tools");
  const auto outcome = plugin.call("hostile_spins", 1s);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.failure().reason == Reason::timeout);
  CHECK_THAT(outcome.failure().message, ContainsSubstring("did not end within 1 s (SANDBOX_EXEC_TIMEOUT)"));
}

TEST_CASE("a call that nobody waits for any more ends") {
  Plugin plugin("hostile_tools");
  std::stop_source leave;
  plugin.told = [&leave] { leave.request_stop(); };
  SECTION("by the tool's own look") {
    const auto outcome = plugin.call("hostile_waits", 60s, leave.get_token());
    REQUIRE_FALSE(outcome);
    CHECK(outcome.failure().reason == Reason::cancelled);
  }
  SECTION("also where the tool does not look") {
    std::jthread leaves([&leave] {
      std::this_thread::sleep_for(50ms);
      leave.request_stop();
    });
    const auto outcome = plugin.call("hostile_spins", 60s, leave.get_token());
    REQUIRE_FALSE(outcome);
    CHECK(outcome.failure().reason == Reason::cancelled);
  }
}

TEST_CASE("each call is a process of its own, without an environment or the server's rights") {
  Plugin plugin("hostile_tools");
  for (int i = 0; i < 2; ++i) {
    const auto counted = plugin.call("hostile_counts");
    REQUIRE(counted);
    CHECK(counted->content.at(0).data == "call 1");
  }
  const auto snooped = plugin.call("hostile_snoops");
  REQUIRE(snooped);
  const auto user = ::geteuid() == 0 ? 65534 : ::geteuid();
  CHECK(snooped->content.at(0).data == "nothing uid " + std::to_string(user));
}

TEST_CASE("arguments are held against the top level of the schema") {
  const Tool tool{"t",
                  "",
                  "d",
                  R"({"type":"object","properties":{"n":{"type":"integer"},"s":{"type":["string","null"]}},)"
                  R"("required":["n"],"additionalProperties":false})",
                  "",
                  ""};
  const auto fit = [&](const char* text) { return fits(tool, nlohmann::json::parse(text)); };
  CHECK(fit(R"({"n":1})"));
  CHECK(fit(R"({"n":1,"s":null})"));
  CHECK_THAT(fit(R"({})").failure().message, ContainsSubstring("\"n\" is missing"));
  CHECK_THAT(fit(R"({"n":"1"})").failure().message, ContainsSubstring("must be of the type \"integer\""));
  CHECK_THAT(fit(R"({"n":1,"s":2})").failure().message, ContainsSubstring("must be of the type"));
  CHECK_THAT(fit(R"({"n":1,"x":2})").failure().message, ContainsSubstring("none that this tool knows"));
}

TEST_CASE("tools that break a rule keep their plugin out") {
  const Folder folder;
  SECTION("a name of the host") {
    folder.add("bad_tools");
  }
  SECTION("a schema that is no JSON") {
    folder.add("bad_schema");
  }
  CHECK(folder.refusal().finding == "rule");
}

TEST_CASE("of two plugins with one tool name the second is refused") {
  const Folder folder;
  folder.add("conformance", "a.so");
  folder.add("same_tool", "b.so");
  const auto refusal = folder.refusal();
  CHECK(refusal.finding == "clash");
  CHECK(refusal.reason ==
        "The tool \"test_simple_text\" of \"b.so\" is already one of \"a.so\"; remove one of the two.");
}
