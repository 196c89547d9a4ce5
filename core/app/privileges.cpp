#include "app/privileges.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/text.hpp"

namespace codebox::app {
namespace {

Failure refused(const std::string& what) {
  return {Reason::internal, "SERVER_USER cannot be put into force: " + what + ": " + std::strerror(errno) + "."};
}

Result<void> give(const std::filesystem::path& folder, const ServerUser& user) {
  const auto own = [&](const std::filesystem::path& path) {
    return ::lchown(path.c_str(), user.uid, user.gid) == 0 || errno == ENOENT;
  };
  if (!own(folder)) return refused("STATE_DIR " + text::quoted(folder.string()));
  std::error_code failed;
  for (std::filesystem::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (!own(at->path())) return refused("STATE_DIR " + text::quoted(at->path().string()));
  }
  return {};
}

}  // namespace

Result<ServerUser> find_user(const std::string& name) {
  ServerUser user;
  const char* const end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data(), end, user.uid);
  if (parsed.ec == std::errc() && parsed.ptr == end) {
    user.gid = static_cast<gid_t>(user.uid);
  } else {
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 16384> buffer{};
    if (::getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) {
      return Failure{Reason::invalid, "SERVER_USER " + text::quoted(name) + " is no account of this machine: give a name or a number."};
    }
    user = {found->pw_uid, found->pw_gid};
  }
  if (user.uid == 0 || user.uid == static_cast<uid_t>(-1)) {
    return Failure{Reason::invalid, "SERVER_USER " + text::quoted(name) + " is root: leave it empty, or give an account without rights."};
  }
  return user;
}

void harden_process(bool dropping) {
  // A limit of 0 still lets a core go to a pipe; 1 stops that as well.
  const rlimit no_core{1, 1};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (dropping) ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

Result<void> become(const ServerUser& user, const std::filesystem::path& state_dir) {
  if (::geteuid() != 0) {
    if (::geteuid() == user.uid) return {};
    return Failure{Reason::invalid, "SERVER_USER needs a server that is started as root: start it so, or leave SERVER_USER empty."};
  }
  if (auto given = give(state_dir, user); !given) return given;
  // libc carries these into every thread.
  if (::setgroups(0, nullptr) != 0 || ::setresgid(user.gid, user.gid, user.gid) != 0 ||
      ::setresuid(user.uid, user.uid, user.uid) != 0) {
    return refused("uid " + std::to_string(user.uid));
  }
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  return {};
}

}  // namespace codebox::app
