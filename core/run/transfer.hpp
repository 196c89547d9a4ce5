#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/caller.hpp"
#include "openwebui/files.hpp"
#include "run/arguments.hpp"
#include "run/options.hpp"
#include "run/progress.hpp"
#include "run/report.hpp"
#include "sandbox/sandbox.hpp"

namespace codebox::run {

/// An input whose file was found and whose place is known.
struct PlacedInput {
  std::string path;                         ///< absolute
  std::optional<std::string_view> content;  ///< of the call's arguments, which outlive it
  openwebui::RemoteFile file;               ///< when there is no content
};

/// Moves a call's files between the caller's store and its sandbox, streamed. One call's; one thread.
class Transfer {
 public:
  Transfer(openwebui::Files& files, const Caller& caller, const Options& options, Time deadline,
           std::stop_token cancel, Progress& progress)
      : files_(files),
        caller_(caller),
        options_(options),
        deadline_(deadline),
        cancel_(std::move(cancel)),
        progress_(progress) {}

  /// Finds every input before anything is started; one that cannot be had fails the call.
  Result<std::vector<PlacedInput>> find(const std::vector<InputFile>& inputs, const std::string& source_file);
  Result<void> put(sandbox::Sandbox& sandbox, const PlacedInput& input);
  /// Collects what the program left, uploads it and notes what stays behind with the reason.
  void collect(sandbox::Sandbox& sandbox, const Arguments& arguments, const plugin::LanguageSpec& language,
               Ran& ran, std::vector<Picture>& pictures);
  /// Offers one file of the sandbox under `name`; the reason stands in `ran` when that fails.
  void give(sandbox::Sandbox& sandbox, const sandbox::Found& file, const std::string& name, Ran& ran,
            std::vector<Picture>& pictures);
  /// Paths of files that lie in the working folder, but for the program: what a wrong name may have meant.
  std::vector<std::string> present(sandbox::Sandbox& sandbox, const plugin::LanguageSpec& language) const;

 private:
  void note_absent(sandbox::Sandbox& sandbox, const std::vector<std::string>& absent,
                   const plugin::LanguageSpec& language, Ran& ran) const;
  /// Where nothing came back and nothing was asked for: what lies beside the output folder, as if meant for
  /// it.
  void note_left(sandbox::Sandbox& sandbox, const Arguments& arguments, const plugin::LanguageSpec& language,
                 Ran& ran) const;
  /// Adds a picture of the first page of a PDF, where the image can draw one.
  void preview(sandbox::Sandbox& sandbox, const std::vector<sandbox::Found>& files, Ran& ran,
               std::vector<Picture>& pictures);
  /// Whether one of the commands drew it.
  bool draw(sandbox::Sandbox& sandbox, const std::vector<std::vector<std::string>>& commands) const;
  bool has_room(const std::vector<Picture>& pictures, std::uint64_t size) const;
  Result<void> download(sandbox::Sandbox& sandbox, const PlacedInput& input);

  openwebui::Files& files_;
  const Caller& caller_;
  const Options& options_;
  const Time deadline_;
  const std::stop_token cancel_;
  Progress& progress_;
};

/// Puts text that is already in memory.
Result<void> put_text(sandbox::Sandbox& sandbox, const std::string& path, std::string_view content,
                      Time deadline, std::stop_token cancel);

/// Puts the support files of `language`, where they do not lie there already.
Result<void> put_support(sandbox::Sandbox& sandbox, const plugin::LanguageSpec& language, Time deadline,
                         const std::stop_token& cancel);

}  // namespace codebox::run
