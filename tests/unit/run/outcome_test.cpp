#include "run/outcome.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <fstream>
#include <set>

#include "base/text.hpp"

using namespace codebox;

namespace {

std::string_view reason(sandbox::Ending ending, int code, bool out_of_memory = false,
                        bool compiling = false) {
  sandbox::StepEnd end;
  end.ending = ending;
  end.code = code;
  end.out_of_memory = out_of_memory;
  return run::reason_of(end, compiling);
}

// The words in the first column of the page's tables whose head is "reason".
std::set<std::string> documented() {
  std::ifstream page(CODEBOX_SOURCE_DIR "/docs/results.md");
  REQUIRE(page.good());
  std::set<std::string> words;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with('|')) inside = false;
    if (line.starts_with("| reason |")) inside = true;
    if (!inside || !line.starts_with("| `")) continue;
    const std::string word = line.substr(3, line.find('`', 3) - 3);
    CHECK(words.insert(word).second);
  }
  return words;
}

}  // namespace

TEST_CASE("the page of results has a row for each reason, and none for another word") {
  const auto words = run::reasons();
  CHECK(documented() == std::set<std::string>(words.begin(), words.end()));
  CHECK(std::set<std::string_view>(words.begin(), words.end()).size() == words.size());
}

TEST_CASE("how a program ended has one word") {
  using sandbox::Ending;
  CHECK(reason(Ending::exited, 0) == "ok");
  CHECK(reason(Ending::exited, 0, true) == "ok");
  CHECK(reason(Ending::exited, 3) == "failed");
  CHECK(reason(Ending::exited, 1, false, true) == "compile_failed");
  CHECK(reason(Ending::exited, 137, true) == "out_of_memory");
  CHECK(reason(Ending::signalled, SIGKILL, true) == "out_of_memory");
  CHECK(reason(Ending::signalled, SIGSEGV) == "crashed");
  CHECK(reason(Ending::timed_out, 0) == "timeout");
  CHECK(reason(Ending::not_started, 2) == "not_started");
  CHECK(reason(Ending::lost, 0) == "gone");
  CHECK(reason(Ending::lost, 0, true) == "out_of_memory");
  const auto words = run::reasons();
  CHECK(std::find(words.begin(), words.end(), reason(Ending::cancelled, 0)) != words.end());
}

TEST_CASE("a call that never started has the word of its failure") {
  const run::Outcome outcome = run::not_run({Reason::install, "Nothing was run."});
  CHECK(outcome.is_error);
  CHECK(outcome.text == "Nothing was run.");
  CHECK(outcome.reason == "install");
  CHECK(outcome.exit_status == 1);
}
