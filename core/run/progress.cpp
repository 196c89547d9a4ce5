#include "run/progress.hpp"

#include <cstdio>

#include "base/text.hpp"
#include "run/transfer.hpp"

namespace codebox::run {
namespace {

constexpr std::size_t longest_reason = 200;
constexpr std::size_t most_names = 4;

// "a, b, c, d and 3 more"
std::string some(std::vector<std::string> names) {
  const std::size_t more = names.size() > most_names ? names.size() - most_names : 0;
  names.resize(names.size() - more);
  return text::join(names, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

std::string counted(std::size_t count, const char* noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

// Where a program says what went wrong: its last line that is not empty.
std::string last_line(const HeadAndTail& stream) {
  const std::string text = stream.text(nullptr);
  const auto lines = text::split(text::trim(text), '\n');
  return lines.empty() ? "" : text::one_line(text::prefix(text::trim(lines.back()), longest_reason));
}

std::string first_sentence(const std::string& message) {
  return text::one_line(text::prefix(message.substr(0, message.find('\n')), longest_reason));
}

}  // namespace

void Progress::fetching(const std::vector<PlacedInput>& inputs) {
  std::vector<std::string> names;
  for (const PlacedInput& input : inputs) {
    if (!input.content) names.emplace_back(text::prefix(input.file.name, 60));
  }
  if (!names.empty()) status("fetching " + some(std::move(names)));
}

void Progress::installing(const std::vector<std::string>& packages) {
  lasting("installing " + some(packages));
}

void Progress::uploading(std::size_t files) {
  if (files > 0) status("saving " + counted(files, "file"));
}

void Progress::not_run(const Failure& failure) {
  if (!message_) return;
  if (failure.reason == Reason::cancelled) return message_->done(language_ + ": stopped");
  message_->done(language_ + ": not run. " + first_sentence(failure.message));
}

void Progress::ended(Ran& ran, const KeptOutput& output, const engine::Limits& limits) {
  if (!message_) return;
  std::vector<openwebui::StoredFile> files;
  for (const ReturnedFile& file : ran.files) {
    if (!file.shown) files.push_back(file.stored);
  }
  if (!files.empty()) message_->attach(files);
  if (!ran.pages.empty()) message_->embed(std::move(ran.pages));

  const sandbox::StepEnd& end = ran.end;
  const bool good = end.ending == sandbox::Ending::exited && end.code == 0;
  std::string text = language_ + ": ";
  if (good) {
    text += "done in " + time();
    if (!ran.files.empty()) text += ", " + counted(ran.files.size(), "file");
  } else if (end.ending == sandbox::Ending::cancelled) {
    text += "stopped after " + time();
  } else if (end.out_of_memory) {
    text += "failed: out of memory, of which it may use " + text::size(limits.memory);
  } else if (end.ending == sandbox::Ending::timed_out) {
    text += "failed: out of time after " + time();
  } else {
    const std::string said = last_line(output.err.total() > 0 ? output.err : output.out);
    text += std::string(ran.compiling ? "not compiled" : "failed") + " after " + time() +
            (said.empty() ? "" : ": " + said);
  }
  message_->done(std::move(text));
}

void Progress::status(const std::string& doing) {
  if (message_) message_->status(language_ + ": " + doing);
}

void Progress::lasting(const std::string& doing) {
  if (message_) message_->lasting_status(language_ + ": " + doing);
}

std::string Progress::time() const {
  const auto passed = std::chrono::steady_clock::now() - began_;
  char out[32];
  std::snprintf(out, sizeof out, "%.1f s", std::chrono::duration<double>(passed).count());
  return out;
}

}  // namespace codebox::run
