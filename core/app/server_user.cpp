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
Result<void> give(const std::filesystem::path& folder, const std::string& name, const UserIds& ids) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  struct stat about {};
  if (::stat(folder.c_str(), &about) == 0) {
    if (about.st_uid != 0) return {};
    // The mode first: without the capability FOWNER only an owner may set it.
    if (::chmod(folder.c_str(), 0700) == 0 && ::chown(folder.c_str(), ids.user, ids.group) == 0) return {};
  }
  return Failure{Reason::invalid, "STATE_DIR " + text::quoted(folder.string()) +
                                      " cannot be given to SERVER_USER " + text::quoted(name) + ": " +
                                      std::strerror(errno) + "."};
}

}  // namespace

Result<UserIds> server_user_ids(const std::string& name) {
  const passwd* const user = ::getpwnam(name.c_str());
  if (!user) {
    return Failure{Reason::invalid, "SERVER_USER names " + text::quoted(name) +
                                        ", who is no user of this system: make one with useradd --system."};
  }
  if (user->pw_uid == 0) {
    return Failure{Reason::invalid,
                   "SERVER_USER names " + text::quoted(name) + ", who is root: name another user."};
  }
  return UserIds{user->pw_uid, user->pw_gid};
}

Result<Fd> become_server_user(const Settings& settings) {
  if (settings.server_user.empty() || ::geteuid() != 0) return Fd();
  const auto ids = server_user_ids(settings.server_user);
  if (!ids) return ids.failure();
  if (auto given = give(settings.state_dir, settings.server_user, *ids); !given) return given.failure();
  return engine::split_from_root(ids->user, ids->group, own_program());
}

}  // namespace codebox::app
