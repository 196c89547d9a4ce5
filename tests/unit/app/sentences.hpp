#pragma once
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/text.hpp"

namespace codebox::app::test {

/// What is wrong, as docs/troubleshooting.md calls it, and the sentence that the program really said.
using Said = std::vector<std::pair<std::string, std::string>>;

/// The rows "| what | `sentence` |" under the heading `section` of docs/troubleshooting.md.
inline Said rows_of(const std::string& section) {
  std::ifstream page(CODEBOX_SOURCE_DIR "/docs/troubleshooting.md");
  REQUIRE(page);
  Said rows;
  bool inside = false;
  for (std::string row; std::getline(page, row);) {
    if (row.starts_with("## ")) inside = row == "## " + section;
    const auto begin = row.find(" | `");
    if (!inside || begin == std::string::npos || !row.starts_with("| ") || !row.ends_with("` |")) continue;
    rows.emplace_back(row.substr(2, begin - 2), row.substr(begin + 4, row.size() - begin - 7));
  }
  return rows;
}

/// Holds what was said against the section, row by row; an ellipsis stands for what varies.
inline void compare(const std::string& section, const Said& said) {
  const Said rows = rows_of(section);
  for (std::size_t i = 0; i < said.size(); ++i) {
    const auto& [what, sentence] = said[i];
    INFO("| " << what << " | `" << sentence << "` |");
    REQUIRE(i < rows.size());
    CHECK(rows[i].first == what);
    std::string pattern;
    for (std::size_t at = 0; at < rows[i].second.size(); ++at) {
      constexpr std::string_view ellipsis = "\u2026";
      const bool varies = rows[i].second.compare(at, ellipsis.size(), ellipsis) == 0;
      pattern += varies ? '*' : rows[i].second[at];
      if (varies) at += ellipsis.size() - 1;
    }
    INFO(rows[i].second);
    CHECK(text::matches(pattern, sentence));
    CHECK(sentence.find('\n') == std::string::npos);
  }
  CHECK(rows.size() == said.size());
}

/// The sentence of a result that must be a failure.
template <class T>
std::string sentence(const Result<T>& result) {
  REQUIRE_FALSE(result.ok());
  return result.failure().message;
}

}  // namespace codebox::app::test
