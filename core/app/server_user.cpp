#include "app/server_user.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "app/graph.hpp"
#include "base/text.hpp"
#include "engine/keeper.hpp"

namespace codebox::app {
namespace {

/// Only a folder of root's is given away: one of a third user was named by mistake.
Result<void> give(const std::filesystem::path& folder, const passwd& user) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  struct stat about {};
  if (::stat(folder.c_str(), &about) == 0) {
    if (about.st_uid != 0) return {};
    // The mode first: without the capability FOWNER only an owner may set it.
    if (::chmod(folder.c_str(), 0700) == 0 && ::chown(folder.c_str(), user.pw_uid, user.pw_gid) == 0) return {};
  }
  return Failure{Reason::invalid, "STATE_DIR " + text::quoted(folder.string()) +
                                      " cannot be given to SERVER_USER " + text::quoted(user.pw_name) + ": " +
                                      std::strerror(errno) + "."};
}

}  // namespace

Result<Fd> become_server_user(const Settings& settings) {
  if (settings.server_user.empty() || ::geteuid() != 0) return Fd();
  errno = 0;
  const passwd* const user = ::getpwnam(settings.server_user.c_str());
  if (!user) {
    return Failure{Reason::invalid, "SERVER_USER names " + text::quoted(settings.server_user) +
                                        ", who is no user of this system; make one with useradd --system."};
  }
  if (user->pw_uid == 0) {
    return Failure{Reason::invalid, "SERVER_USER names " + text::quoted(settings.server_user) +
                                        ", who is root; name another user, or leave it empty."};
  }
  if (auto given = give(settings.state_dir, *user); !given) return given.failure();
  return engine::split_from_root(user->pw_uid, user->pw_gid, own_program());
}

}  // namespace codebox::app
