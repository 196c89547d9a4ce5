#include "agent/share.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/fd.hpp"

namespace codebox::agent {
namespace {

// No program needs more at once. The engine room bounds what one socket can hold.
constexpr std::size_t most_terminals = 128;
constexpr std::size_t most_sockets = 1024;
constexpr const char* packages = "/packages";
// As the engine room sets it where the engine can: a file for every 8 KiB.
constexpr std::uint64_t least_files = 256;
constexpr std::uint64_t bytes_for_a_file = 8192;

std::size_t open_terminals() {
  DIR* list = ::opendir("/dev/pts");
  if (list == nullptr) return 0;
  std::size_t count = 0;
  while (const dirent* found = ::readdir(list)) {
    const char first = found->d_name[0];
    if (first >= '0' && first <= '9' && ++count > most_terminals) break;
  }
  ::closedir(list);
  return count;
}

// The sum of all "inuse" numbers, which are those of this network namespace.
std::size_t open_sockets(const char* path) {
  char text[1024];
  const Fd file(::open(path, O_RDONLY | O_CLOEXEC));
  const auto got = file ? ::read(file.get(), text, sizeof text - 1) : 0;
  if (got <= 0) return 0;
  text[got] = '\0';
  constexpr std::string_view word = " inuse ";
  const std::string_view all(text, static_cast<std::size_t>(got));
  std::size_t count = 0;
  for (auto at = all.find(word); at != std::string_view::npos; at = all.find(word, at + 1)) {
    count += std::strtoul(text + at + word.size(), nullptr, 10);
  }
  return count;
}

std::string more_than(std::size_t most, const std::string& what) {
  return "more than " + std::to_string(most) + " " + what;
}

std::string slurp(const char* path) {
  std::string text;
  const Fd file(::open(path, O_RDONLY | O_CLOEXEC));
  char part[4096];
  for (ssize_t got = 0; file && (got = ::read(file.get(), part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(got));
  return text;
}

struct Usage {
  std::uint64_t size = 0;
  std::uint64_t used = 0;
  std::uint64_t files = 0;
  std::uint64_t most_files = 0;  ///< what the engine allows; 0 where none is told
};

Usage usage(const char* place) {
  struct statvfs status {};
  if (::statvfs(place, &status) != 0) return {};
  return {status.f_blocks * status.f_frsize, (status.f_blocks - status.f_bfree) * status.f_frsize,
          status.f_files - status.f_ffree, status.f_files};
}

// Of another kind, or read-only: a package layer.
bool in_memory(const char* place) {
  struct statfs status {};
  return ::statfs(place, &status) == 0 && status.f_type == TMPFS_MAGIC;
}

// The writable folders in memory of a text like /proc/self/mounts, /packages apart.
std::vector<std::string> tmpfs_places(const std::string& mounts) {
  std::vector<std::string> places;
  for (std::size_t at = 0; at < mounts.size();) {
    const auto end = std::min(mounts.find('\n', at), mounts.size());
    const auto line = std::string_view(mounts).substr(at, end - at);
    at = end + 1;
    const auto first = line.find(' ');
    const auto second = first == line.npos ? first : line.find(' ', first + 1);
    if (second == line.npos || !line.substr(second).starts_with(" tmpfs rw")) continue;
    const auto place = line.substr(first + 1, second - first - 1);
    if (place != packages) places.emplace_back(place);
  }
  return places;
}

}  // namespace

void Share::begin(bool installing) {
  if (!looked_) {
    looked_ = true;
    for (auto& place : tmpfs_places(slurp("/proc/self/mounts"))) {
      struct stat status {};
      const bool folder = ::stat(place.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
      if (folder && (status.st_mode & S_IWOTH) != 0) places_.push_back(std::move(place));
    }
  }
  if (installing || closed_) return;
  closed_ = true;
  // The folder is ours, and what the installer put into it was made by the step user.
  if (!in_memory(packages) || ::chmod(packages, 0755) != 0) return;
  installed_ = usage(packages).used;
}

std::string Share::over() const {
  if (open_terminals() > most_terminals)
    return "had " + more_than(most_terminals, "pseudo-terminals") + " open at once; open fewer.";
  if (open_sockets("/proc/net/sockstat") + open_sockets("/proc/net/sockstat6") > most_sockets)
    return "had " + more_than(most_sockets, "network sockets") + " open at once; open fewer.";
  if (auto files = over_files(); !files.empty()) return files;
  return over_disk();
}

std::string Share::over_files() const {
  std::vector<std::string> all = places_;
  all.emplace_back(packages);
  for (const auto& place : all) {
    if (!in_memory(place.c_str())) continue;
    const Usage now = usage(place.c_str());
    const auto most = std::max<std::uint64_t>(least_files, now.size / bytes_for_a_file);
    if (now.size == 0 || now.most_files <= most || now.files <= most) continue;
    return "made " + more_than(most, "files in ") + place +
           (place == packages ? " (SANDBOX_MAX_INSTALL)" : " (SANDBOX_MAX_DISK)") + "; make fewer.";
  }
  return {};
}

std::string Share::over_disk() const {
  if (!closed_ || !in_memory(packages)) return {};
  const auto packed = usage(packages).used;
  if (packed <= installed_) return {};
  std::uint64_t size = 0;
  std::uint64_t used = packed - installed_;
  for (const auto& place : places_) {
    const Usage now = usage(place.c_str());
    size += now.size;
    used += now.used;
  }
  if (used <= size) return {};
  return "wrote " + more_than(size >> 20, "MiB (SANDBOX_MAX_DISK), of which ") +
         std::to_string((packed - installed_) >> 20) + " MiB into /packages; write less.";
}

}  // namespace codebox::agent
