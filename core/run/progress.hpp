#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "openwebui/chat_events.hpp"
#include "run/output.hpp"
#include "run/report.hpp"

namespace codebox::run {

struct PlacedInput;

/// Tells the person in the chat what their call is doing, in words for people. Lives on the stack of
/// Runner::run; one thread. Costs next to nothing and never waits; without a message it says nothing.
class Progress {
 public:
  Progress() = default;
  Progress(std::unique_ptr<openwebui::MessageEvents> message, std::string language)
      : message_(std::move(message)), language_(std::move(language)) {}

  void fetching(const std::vector<PlacedInput>& inputs);
  void looking_for_files() { status("looking for files"); }
  void queued() { status("waiting for a sandbox"); }
  void installing(const std::vector<std::string>& packages);
  void compiling() { lasting("compiling"); }
  void running() { lasting("running"); }
  void uploading(std::size_t files);

  /// Whether somebody watches.
  bool seen() const { return message_ != nullptr; }
  /// Why nothing ran.
  void not_run(const Failure& failure);
  /// How the program ended, with the files and pages that came of it, which are taken.
  void ended(Ran& ran, const KeptOutput& output, const engine::Limits& limits);

 private:
  void status(const std::string& doing);
  void lasting(const std::string& doing);
  std::string time() const;

  std::unique_ptr<openwebui::MessageEvents> message_;  // null where nobody watches
  std::string language_;
  const Time began_ = std::chrono::steady_clock::now();
};

}  // namespace codebox::run
