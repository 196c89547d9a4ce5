#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "openwebui/files.hpp"
#include "sandbox/sandbox.hpp"

namespace codebox::run {

/// A picture that stands in the result itself. Plain value.
struct Picture {
  std::string base64;
  std::string mime_type;
};

/// A file that came back. Plain value.
struct ReturnedFile {
  openwebui::StoredFile stored;
  std::uint64_t size = 0;  ///< bytes
  bool picture = false;    ///< a browser shows it inline, also an SVG
  bool shown = false;      ///< it stands in the result itself
};

/// What came of one call. Plain value.
struct Outcome {
  bool is_error = false;  ///< nothing ran
  std::string text;
  std::vector<Picture> pictures;
  int exit_status = 0;        ///< the program's, 128 + its number for a signal, 124 for a timeout
  std::string reason = "ok";  ///< a word of docs/results.md
  std::vector<ReturnedFile> files = {};
};

/// The outcome of a call whose program never started.
Outcome not_run(const Failure& failure);

/// How a program ended, as the word of docs/results.md.
std::string_view reason_of(const sandbox::StepEnd& end, bool compiling);

/// Every word that Outcome::reason may be, each once; docs/results.md has a row for each.
std::vector<std::string_view> reasons();

}  // namespace codebox::run
