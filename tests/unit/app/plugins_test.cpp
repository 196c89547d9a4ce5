#include "app/plugins.hpp"

#include <catch2/catch_test_macros.hpp>

#include "languages.hpp"

using namespace codebox;
using namespace codebox::app;
using Sentences = std::vector<std::string>;

namespace {

Sentences doubts(const Variables& environment, const Variables& dotenv = {},
                 plugin::Registry registry = test::languages_of({"cpp", "python", "ruby"})) {
  auto settings = read_settings(environment, dotenv);
  REQUIRE(settings.ok());
  settings->plugin_dir = "/plugins";
  return language_doubts(*settings, registry);
}

}  // namespace

TEST_CASE("each kind of setting for a language that no plugin provides is doubted, with the likely name") {
  const std::string reason =
      " is for the language \"pyhton\", but no plugin in \"/plugins\" provides it: did you mean ";
  CHECK(doubts({{"SANDBOX_IMAGE_PYHTON", "my/python"},
                {"SANDBOX_NETWORK_PYHTON", "none"},
                {"SANDBOX_POOL_SIZE_PYHTON", "4"},
                {"SANDBOX_ENV_PYHTON", "PIP_INDEX_URL=https://ann:secret@index"}}) ==
        Sentences{"SANDBOX_ENV_PYHTON" + reason + "SANDBOX_ENV_PYTHON?",
                  "SANDBOX_IMAGE_PYHTON" + reason + "SANDBOX_IMAGE_PYTHON?",
                  "SANDBOX_NETWORK_PYHTON" + reason + "SANDBOX_NETWORK_PYTHON?",
                  "SANDBOX_POOL_SIZE_PYHTON" + reason + "SANDBOX_POOL_SIZE_PYTHON?"});
}

TEST_CASE("such a setting is doubted in a .env file, too, and an empty one nowhere") {
  CHECK(doubts({}, {{"SANDBOX_POOL_SIZE_RBUY", "1"}}) ==
        Sentences{
            "SANDBOX_POOL_SIZE_RBUY is for the language \"rbuy\", but no plugin in \"/plugins\" provides it: "
            "did you mean SANDBOX_POOL_SIZE_RUBY?"});
  CHECK(doubts({{"SANDBOX_IMAGE_RBUY", ""}}).empty());
}

TEST_CASE("an alias in place of a language's id is doubted with the id that it stands for") {
  CHECK(doubts({{"SANDBOX_IMAGE_PY", "my/python"}}) ==
        Sentences{
            "SANDBOX_IMAGE_PY is for the language \"py\", but no plugin in \"/plugins\" provides it: did you "
            "mean SANDBOX_IMAGE_PYTHON?"});
}

TEST_CASE("no name is proposed where none is like the one that is set") {
  CHECK(
      doubts({{"SANDBOX_IMAGE_LUA", "lua:5"}}) ==
      Sentences{
          "SANDBOX_IMAGE_LUA is for the language \"lua\", but no plugin in \"/plugins\" provides it: correct "
          "the name, or put the language's plugin there."});
}

TEST_CASE("a setting for a language that SANDBOX_LANGUAGES leaves out is no doubt") {
  plugin::Registry narrowed = test::languages_of({"cpp", "python"});
  narrowed.languages.resize(1);
  CHECK(doubts({{"SANDBOX_IMAGE_CPP", "gcc"}, {"SANDBOX_IMAGE_PYTHON", "my/python"}}, {}, narrowed).empty());
}
