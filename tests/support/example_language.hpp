#pragma once
#include "plugin/language.hpp"

namespace codebox::testing {

/// A small language with packages, for tests of what runs it.
inline plugin::LanguageSpec example_language() {
  plugin::LanguageSpec language;
  language.id = "python";
  language.version = "1.0.0";
  language.display_name = "Python";
  language.image = "example/python:1";
  language.source_file = "main.py";
  language.run = {{"python3", "{source}"}, {}, 0};
  language.list = plugin::Command{{"python3", "{support}/list.py"}, {}, 0};
  language.list_format = plugin::ListFormat::json;
  plugin::Packages packages;
  packages.noun = "PyPI package";
  packages.example = "humanize==4.*";
  packages.extra_characters = "[]=<>!~*,+";
  packages.install = {{"pip", "install", "--prefix", "{prefix}", "--", "{packages}"}, {}, 0};
  packages.index_variables = {"PIP_INDEX_URL"};
  packages.env = {"PYTHONUSERBASE={prefix}"};
  language.packages = packages;
  language.support = {{"list.py", "print()"}};
  language.ignore = {"*/__pycache__/*"};
  language.hints = {{"*EOFError: EOF when reading a line*", "Pass text as `stdin`."}};
  return language;
}

}  // namespace codebox::testing
