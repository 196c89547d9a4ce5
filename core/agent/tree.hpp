#pragma once
#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "agent/user.hpp"
#include "base/fd.hpp"
#include "sandbox/frames.hpp"

/// Files of the sandbox, touched as the step user and never through a symbolic link. One thread.
namespace codebox::agent {

namespace frames = sandbox::frames;

/// A file that is being put. Removed again unless it arrives whole.
class Put {
 public:
  /// Makes the folders and the file; `outcome` says why not.
  Put(const frames::PutOpen& order, const StepUser& user, frames::Outcome& outcome);
  bool write(std::string_view bytes, frames::Outcome& outcome);
  /// Ends it; `abandon` removes it.
  void finish(bool abandon, frames::Outcome& outcome);

 private:
  void open(const std::string& path, frames::Outcome& outcome);
  void remove();

  StepUser user_;
  Fd folder_;
  Fd file_;
  std::string name_;
  std::uint64_t left_;
  std::uint32_t mode_;
};

/// Removes what lies directly in a folder and is no folder itself.
void remove_files(const std::string& folder, const StepUser& user);

/// Half a sentence for what may not come out ("is a symbolic link"), or nullptr for a regular file.
const char* why_not(const struct stat& status);

/// Opens a place's folder or a folder in it; invalid with errno where it is none (also a symbolic link).
Fd open_folder(int parent, const char* name);

/// A regular file that is open for reading, and its bytes at that moment. Plain value.
struct Opened {
  Fd file;
  std::uint64_t size = 0;
};
/// Opens a regular file for reading.
Opened open_file(const std::string& path, const StepUser& user, frames::Outcome& outcome);

}  // namespace codebox::agent
