#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstdlib>

#include "agent/prove.hpp"
#include "base/fd.hpp"

namespace codebox::agent::prove {
namespace {

// SETGID and SETUID, with which the agent becomes the step user and which no step can use.
constexpr std::uint64_t agents_own = 0xC0;

void user() {
  uid_t real = 0, effective = 0, saved = 0;
  ::getresuid(&real, &effective, &saved);
  const bool holds = real != 0 && effective == real && saved == real && ::getgroups(0, nullptr) == 0;
  report("user", holds, "programs run as uid " + std::to_string(effective));
}

// Which of the host's ids the sandbox's uid 0 is, by what /proc/self/uid_map says: "inside outside count".
void user_namespace() {
  if (own_kernel()) return report("user-namespace", true, "ids are those of the sandbox's own kernel");
  const auto map = slurp("/proc/self/uid_map");
  char* next = nullptr;
  const auto inside = std::strtoull(map.c_str(), &next, 10);
  const auto outside = std::strtoull(next, nullptr, 10);
  if (!map.empty() && inside == 0 && outside != 0)
    return report("user-namespace", true,
                  "uid 0 of the sandbox is uid " + std::to_string(outside) + " of its host");
  not_offered("user-namespace",
              "the engine gives none, and no program is uid 0; docs/security.md says how to have one");
}

void capabilities() {
  const auto status = slurp("/proc/self/status");
  std::string held;
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapAmb"}) {
    const auto value = field(status, set);
    // A kernel without ambient capabilities does not name them.
    if (value.empty() ? std::string_view(set) != "CapAmb" : std::strtoull(value.c_str(), nullptr, 16) != 0)
      held += std::string(set) + " ";
  }
  const auto bound = field(status, "CapBnd");
  const bool narrow = !bound.empty() && (std::strtoull(bound.c_str(), nullptr, 16) & ~agents_own) == 0;
  report("capabilities", held.empty() && narrow,
         held.empty() && narrow ? "none is held, and the bounding set has SETUID and SETGID alone"
                                : "held: " + (held.empty() ? std::string("none") : held) + ", bounding set " +
                                      (bound.empty() ? "not shown" : bound));
}

// Of the agent, since what a step sets for itself says nothing of the engine.
void new_privileges() {
  const auto shown = field(slurp("/proc/1/status"), "NoNewPrivs");
  const bool own = ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
  report("no-new-privileges", own && shown != "0",
         shown == "0" ? "the engine left it off"
         : own        ? "setuid programs gain nothing"
                      : "it is off");
}

void network() {
  const auto devices = slurp("/proc/net/dev");
  std::string others;
  for (std::size_t at = 0; at < devices.size();) {
    const auto end = std::min(devices.find('\n', at), devices.size());
    const auto line = devices.substr(at, end - at);
    at = end + 1;
    const auto colon = line.find(':');
    const auto start = line.find_first_not_of(' ');
    if (colon == std::string::npos || start >= colon) continue;
    if (const auto name = line.substr(start, colon - start); name != "lo") others += " " + name;
  }
  report("network", others.empty(), others.empty() ? "no interface but lo" : "there is also" + others);
}

// The options of the mount say it everywhere; statvfs does not under gVisor.
bool mounted_read_only() {
  const auto mounts = slurp("/proc/self/mounts");
  const auto at = mounts.find(" / ");
  const auto options = at == std::string::npos ? at : mounts.find(' ', at + 3);
  return options != std::string::npos &&
         (mounts.compare(options, 4, " ro,") == 0 || mounts.compare(options, 4, " ro ") == 0);
}

bool can_make(const std::string& path) {
  const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file) ::unlink(path.c_str());
  return static_cast<bool>(file);
}

void root() {
  const bool marked = mounted_read_only();
  std::string written;
  for (const char* folder :
       {"", "/etc", "/usr", "/usr/bin", "/var", "/var/tmp", "/opt", "/.codebox", "/run"}) {
    if (can_make(std::string(folder) + "/.codebox-proof")) written += std::string(" ") + folder + "/";
  }
  report("read-only-root", marked && written.empty(),
         !written.empty() ? "files can be made in" + written
         : marked         ? "nothing outside the writable places can be written"
                          : "the root is mounted writable");
}

bool harmless(const std::string& name) {
  // gVisor answers for this one itself, and a mount of it is refused.
  if (name == "fuse" && own_kernel()) return true;
  for (const char* known : {"null", "zero", "full", "random", "urandom", "tty", "console", "ptmx"}) {
    if (name == known) return true;
  }
  return false;
}

void devices() {
  std::string found;
  DIR* const list = ::opendir("/dev");
  while (list != nullptr) {
    const dirent* const entry = ::readdir(list);
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    const std::string path = "/dev/" + name;
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) continue;
    const bool device = S_ISBLK(status.st_mode) || (S_ISCHR(status.st_mode) && !harmless(name));
    if (device && Fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY))) found += " " + name;
  }
  if (list != nullptr) ::closedir(list);
  const char* const made = "/tmp/.codebox-device";
  if (::mknod(made, S_IFCHR | 0600, ::makedev(1, 1)) == 0) {
    if (Fd(::open(made, O_RDONLY | O_CLOEXEC))) found += " (and new ones can be made)";
    ::unlink(made);
  }
  report("devices", found.empty(),
         found.empty() ? "none but null, zero, random and terminals" : "these open:" + found);
}

}  // namespace

void look() {
  user();
  user_namespace();
  capabilities();
  new_privileges();
  network();
  root();
  devices();
}

}  // namespace codebox::agent::prove
