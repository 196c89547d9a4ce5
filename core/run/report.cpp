#include "run/report.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/text.hpp"
#include "run/hints.hpp"

namespace codebox::run {
namespace {

std::string seconds(std::chrono::milliseconds time) {
  char out[32];
  std::snprintf(out, sizeof out, time.count() % 1000 == 0 ? "%.0f s" : "%.2f s",
                static_cast<double>(time.count()) / 1000);
  return out;
}

std::string signal_name(int number) {
  const char* name = sigabbrev_np(number);
  return name ? std::string("SIG") + name : "signal " + std::to_string(number);
}

// The command that the step was to start, for whoever wrote the plugin or made the image.
std::string program(const Ran& ran, const plugin::LanguageSpec& language) {
  const plugin::Command& command = ran.compiling && language.compile ? *language.compile : language.run;
  return command.argv.empty() ? std::string() : text::one_line(command.argv.front());
}

// How the step ended, as a sentence that names the limit where one was hit.
std::string ending(const Ran& ran, const plugin::LanguageSpec& language, const Options& options,
                   std::chrono::milliseconds limit) {
  const sandbox::StepEnd& end = ran.end;
  const std::string what = ran.compiling ? "compiler: " : "";
  const std::string memory =
      "out of memory: the limit is " + text::size(options.limits.memory) + " (SANDBOX_MAX_MEMORY)";
  switch (end.ending) {
    case sandbox::Ending::exited:
      if (end.out_of_memory && end.code != 0)
        return what + memory + ", exit status " + std::to_string(end.code);
      return what + "exit status " + std::to_string(end.code) + ", " + seconds(end.wall);
    case sandbox::Ending::signalled:
      if (end.out_of_memory) return what + memory;
      return what + "ended by " + signal_name(end.code) + " after " + seconds(end.wall);
    case sandbox::Ending::timed_out:
      return what + "timed out after " + seconds(end.wall) + ": the whole call may take " + seconds(limit) +
             " (SANDBOX_EXEC_TIMEOUT, or the call's own `timeout`)";
    case sandbox::Ending::not_started:
      return what + "could not be started: " + program(ran, language) + ": " + std::strerror(end.code);
    case sandbox::Ending::cancelled:
      return "cancelled";
    case sandbox::Ending::lost:
      if (end.out_of_memory) return what + memory;
      return "the sandbox ended: " + text::one_line(end.detail);
  }
  return "ended";
}

void add_stream(std::string& out, const char* title, const HeadAndTail& stream, bool* replaced) {
  if (stream.total() == 0) return;
  if (title) out += title;
  out += without_data_uris(stream.text(replaced));
  if (out.back() != '\n') out += '\n';
}

// A name as it may stand between the brackets of a Markdown link.
std::string link_text(const std::string& name) {
  std::string out;
  for (const char c : text::one_line(name)) {
    if (c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

void add_files(std::string& out, const std::vector<ReturnedFile>& files) {
  if (files.empty()) return;
  out += "[files for the user; repeat the links in your answer as they are]\n";
  for (const ReturnedFile& file : files) {
    out += std::string("- ") + (file.picture ? "!" : "") + '[' + link_text(file.stored.name) + "](" +
           file.stored.link + ") (" + text::size(file.size) + ")\n";
  }
}

// A program can make thousands of them, and a model reads each line.
void add_refused(std::string& out, const std::vector<sandbox::Refused>& files) {
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < std::min(files.size(), most); ++i) {
    out += "[not returned] " + text::one_line(files[i].path) + ": " + text::one_line(files[i].why) + '\n';
  }
  if (files.size() > most) out += "[not returned] and " + std::to_string(files.size() - most) + " more\n";
}

}  // namespace

std::string report(const Ran& ran, const KeptOutput& output, const plugin::LanguageSpec& language,
                   const Options& options, std::chrono::milliseconds limit) {
  std::string out;
  bool replaced = false;
  add_stream(out, nullptr, output.out, &replaced);
  add_stream(out, "[stderr]\n", output.err, &replaced);
  if (out.empty()) out = "[no output]\n";
  if (replaced) out += "[bytes that are no UTF-8 were replaced by \xEF\xBF\xBD]\n";
  out += '[' + ending(ran, language, options, limit) + "]\n";
  add_files(out, ran.files);
  add_refused(out, ran.not_returned);
  for (const std::string& note : ran.notes) out += "[note] " + note + '\n';
  if (ran.end.ending != sandbox::Ending::exited || ran.end.code != 0) {
    const std::string said = output.out.text(nullptr) + '\n' + output.err.text(nullptr);
    for (const std::string& hint : hints({ran.end, said, ran.present, limit}, language, options))
      out += "[hint] " + hint + '\n';
    out += "[reason] " + std::string(reason_of(ran.end, ran.compiling)) + '\n';
  }
  return out;
}

std::string without_data_uris(const std::string& text) {
  constexpr std::size_t longest = 256;
  std::string out;
  std::size_t from = 0;
  for (auto at = text.find("data:"); at != std::string::npos; at = text.find("data:", from)) {
    out.append(text, from, at - from);
    std::size_t end = at;
    while (end < text.size() && !std::strchr(" \t\r\n\"'<>)]}", text[end])) ++end;
    const std::string_view uri(text.data() + at, end - at);
    if (uri.size() > longest && uri.find(";base64,") != std::string_view::npos) {
      out += "[data URI of " + std::to_string(uri.size()) + " bytes]";
    } else {
      out.append(uri);
    }
    from = end;
  }
  return out.append(text, from);
}

}  // namespace codebox::run
