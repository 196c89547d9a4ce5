#pragma once
#include <string>
#include <vector>

#include "plugin/language.hpp"
#include "run/options.hpp"
#include "run/outcome.hpp"
#include "run/output.hpp"
#include "sandbox/sandbox.hpp"

namespace codebox::run {

/// What a program left behind, to be told. Plain value; on the stack of the call.
struct Ran {
  sandbox::StepEnd end;
  std::vector<ReturnedFile> files;
  std::vector<sandbox::Refused> not_returned;
  std::vector<std::string> notes;
  std::vector<std::string> present;  ///< files of the sandbox, where the program missed one
  std::vector<std::string> pages;    ///< HTML that may stand in the chat
  bool compiling = false;            ///< the step that ended was the compiler
};

/// The one text block for the model: output, how it ended, files with links to copy, hints (docs/results.md).
/// Never valid JSON, never base64, valid UTF-8. Pure; any thread.
std::string report(const Ran& ran, const KeptOutput& output, const plugin::LanguageSpec& language,
                   const Options& options, std::chrono::milliseconds limit);

/// Long data: URIs as "[data URI of N bytes]": they would flood the model's context.
std::string without_data_uris(const std::string& text);

}  // namespace codebox::run
