#include "run/outcome.hpp"

#include <algorithm>
#include <array>

namespace codebox::run {
namespace {

// Of programs that ran; those that did not have a Reason's word.
constexpr std::array<std::string_view, 8> of_programs = {
    "ok", "failed", "compile_failed", "crashed", "timeout", "out_of_memory", "not_started", "gone"};

}  // namespace

Outcome not_run(const Failure& failure) {
  return {true, failure.message, {}, 1, to_string(failure.reason)};
}

std::string_view reason_of(const sandbox::StepEnd& end, bool compiling) {
  switch (end.ending) {
    case sandbox::Ending::exited:
      if (end.code == 0) return "ok";
      if (end.out_of_memory) return "out_of_memory";
      return compiling ? "compile_failed" : "failed";
    case sandbox::Ending::signalled:
      return end.out_of_memory ? "out_of_memory" : "crashed";
    case sandbox::Ending::timed_out:
      return "timeout";
    case sandbox::Ending::not_started:
      return "not_started";
    case sandbox::Ending::cancelled:
      return "cancelled";
    case sandbox::Ending::lost:
      return end.out_of_memory ? "out_of_memory" : "gone";
  }
  return "gone";
}

std::vector<std::string_view> reasons() {
  std::vector<std::string_view> words(of_programs.begin(), of_programs.end());
  for (int i = 0; i <= static_cast<int>(Reason::internal); ++i) {
    const std::string_view word = to_string(static_cast<Reason>(i));
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  return words;
}

}  // namespace codebox::run
