#pragma once
#include <string>
#include <vector>

#include "openwebui/files.hpp"
#include "plugin/language.hpp"
#include "run/options.hpp"
#include "run/output.hpp"
#include "sandbox/sandbox.hpp"

namespace codebox::run {

struct Picture {
  std::string base64;
  std::string mime_type;
};

struct ReturnedFile {
  openwebui::StoredFile stored;
  std::uint64_t size = 0;
  bool picture = false;  ///< a browser shows it inline, also an SVG
  bool shown = false;    ///< it stands in the result itself
};

/// What came of one call, before it becomes text.
struct Outcome {
  bool is_error = false;  ///< nothing ran
  std::string text;
  std::vector<Picture> pictures;
  int exit_status = 0;  ///< the program's, 128 + its number for a signal, 124 for a timeout
};

/// What a program left behind, to be told.
struct Ran {
  sandbox::StepEnd end;
  std::vector<ReturnedFile> files;
  std::vector<sandbox::Refused> not_returned;
  std::vector<std::string> notes;
  std::vector<std::string> pages;  ///< HTML that may stand in the chat
  bool compiling = false;  ///< the step that ended was the compiler
};

/// The one text block for the model: output, how it ended, files with links to copy, hints. Never valid JSON,
/// never base64, valid UTF-8.
std::string report(const Ran& ran, const KeptOutput& output, const plugin::LanguageSpec& language,
                   const Options& options, std::chrono::milliseconds limit);

/// Long data: URIs as "[data URI of N bytes]": they would flood the model's context.
std::string without_data_uris(const std::string& text);

/// The hints of `language` whose pattern matches a line of `output`, each once.
std::vector<std::string> hints(const std::string& output, const plugin::LanguageSpec& language);

}  // namespace codebox::run
