#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "app/doctor.hpp"
#include "app/server_user.hpp"
#include "base/fd.hpp"
#include "base/text.hpp"

namespace codebox::app::doctor {
namespace {

namespace fs = std::filesystem;
constexpr const char* topic = "state";

// 0, or why no file can be made in `folder`. The file has no name, so nothing is left of it.
int writing_error(const fs::path& folder) {
  std::string pattern = (folder / ".doctor-XXXXXX").string();
  const Fd file(::mkostemp(pattern.data(), O_CLOEXEC));
  if (!file) return errno;
  ::unlink(pattern.c_str());
  return ::write(file.get(), "x", 1) == 1 ? 0 : errno;
}

// The same as SERVER_USER, whom the folder belongs to once the server has started: a root without the
// capability DAC_OVERRIDE, as in a container, may not write there.
int writing_error_of(const UserIds& ids, const fs::path& folder) {
  if (::geteuid() != 0 || ::setegid(ids.group) != 0 || ::seteuid(ids.user) != 0) return EACCES;
  const int error = writing_error(folder);
  const bool back = ::seteuid(0) == 0 && ::setegid(0) == 0;
  return back ? error : EACCES;
}

}  // namespace

void look_at_state(Report& report, const Settings& settings) {
  const fs::path& folder = settings.state_dir;
  const std::string shown = "STATE_DIR " + text::quoted(folder.string());
  std::error_code failed;
  fs::path there = fs::absolute(folder, failed);
  while (!fs::exists(there, failed) && there.has_relative_path()) there = there.parent_path();
  if (!fs::is_directory(there, failed)) {
    return report.problem(
        topic, Failure{Reason::invalid, shown + " is no folder: name one that the server may write to."});
  }
  int error = writing_error(there);
  if (!settings.server_user.empty()) {
    const auto ids = server_user_ids(settings.server_user);
    if (!ids) return report.problem(topic, ids.failure());
    if (error != 0) error = writing_error_of(*ids, there);
  }
  if (error != 0) {
    return report.problem(
        topic, Failure{Reason::invalid, shown + " cannot be written by uid " + std::to_string(::geteuid()) +
                                            " (" + std::strerror(error) +
                                            "): name a folder that the server may write to."});
  }
  const auto space = fs::space(there, failed);
  const std::string room = text::size(failed ? 0 : space.available);
  if (!failed && space.available < 2 * settings.run.max_file) {
    return report.warn(
        topic, shown + " has " + room + " left, less than two files of SANDBOX_MAX_FILE_SIZE: make room.");
  }
  report.ok(topic, shown +
                       (there == fs::absolute(folder, failed) ? " can be written"
                                                              : " does not exist yet and can be made") +
                       "; " + room + " are free.");
}

}  // namespace codebox::app::doctor
