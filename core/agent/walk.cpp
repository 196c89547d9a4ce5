#include "agent/walk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <functional>

#include "agent/tree.hpp"
#include "sandbox/places.hpp"

namespace codebox::agent {
namespace {

constexpr std::size_t most_entries = 100'000;
constexpr std::chrono::seconds longest{5};
constexpr std::size_t deepest = 64;

// Calls `visit` with each name in a folder until it says false.
void each_name(int folder, const std::function<bool(const char*, unsigned char)>& visit) {
  Fd again = open_folder(folder, ".");
  DIR* list = again ? ::fdopendir(again.get()) : nullptr;
  if (list == nullptr) return;
  again.release();
  while (const dirent* found = ::readdir(list)) {
    const std::string_view name = found->d_name;
    if (name == "." || name == "..") continue;
    if (!visit(found->d_name, found->d_type)) break;
  }
  ::closedir(list);
}

}  // namespace

Walk::Walk(const frames::ListOpen& order, std::uint32_t channel, const StepUser& user, Wire& wire)
    : order_(order),
      channel_(channel),
      user_(user),
      wire_(wire),
      deadline_(std::chrono::steady_clock::now() + longest) {}

bool Walk::run() {
  AsStepUser guard(user_);
  for (const auto& one : order_.patterns) pattern(one);
  return truncated_;
}

bool Walk::enough() {
  if (!truncated_ && (++looked_at_ > most_entries || std::chrono::steady_clock::now() >= deadline_)) {
    truncated_ = true;
  }
  return truncated_;
}

void Walk::pattern(const std::string& pattern) {
  parts_ = sandbox::places::parts(pattern);
  if (parts_.empty() || truncated_) return;
  const std::string path = "/" + parts_[0];
  const Fd folder = open_folder(AT_FDCWD, path.c_str());
  if (folder) descend(folder.get(), path, 1, 0);
}

void Walk::descend(int folder, const std::string& path, std::size_t part, std::size_t depth) {
  if (enough()) return;
  if (depth > deepest) {
    truncated_ = true;
    return;
  }
  if (part == parts_.size()) return;
  const auto& here = parts_[part];
  if (here == "**" || here == "***") return every_folder(folder, path, part, depth);
  if (sandbox::places::is_glob(here)) return names(folder, path, part, depth);
  if (part + 1 == parts_.size()) return entry(folder, path, here, true);
  const Fd next = open_folder(folder, here.c_str());
  const int error = errno;
  const std::string below = path + "/" + here;
  if (next) {
    descend(next.get(), below, part + 1, depth + 1);
  } else if (error == EACCES) {
    closed(below, error);
  } else if (error == ELOOP || error == ENOTDIR) {
    struct stat status {};
    const bool link =
        ::fstatat(folder, here.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
    frames::Entry found;
    found.path = below;
    found.refused = link ? "is a symbolic link" : "is no folder";
    report(std::move(found));
  }
}

void Walk::every_folder(int folder, const std::string& path, std::size_t part, std::size_t depth) {
  const bool hidden = parts_[part] == "***";
  if (part + 1 == parts_.size()) {
    each_name(folder, [&](const char* name, unsigned char) {
      if (enough()) return false;
      if (hidden || name[0] != '.') entry(folder, path, name, false);
      return true;
    });
  } else {
    descend(folder, path, part + 1, depth + 1);
  }
  each_name(folder, [&](const char* name, unsigned char type) {
    if (enough()) return false;
    if ((!hidden && name[0] == '.') || (type != DT_DIR && type != DT_UNKNOWN)) return true;
    const Fd next = open_folder(folder, name);
    if (!next) {
      closed(path + "/" + name, errno);
    } else if (depth >= deepest) {
      truncated_ = true;
    } else {
      every_folder(next.get(), path + "/" + name, part, depth + 1);
    }
    return !truncated_;
  });
}

void Walk::names(int folder, const std::string& path, std::size_t part, std::size_t depth) {
  each_name(folder, [&](const char* name, unsigned char) {
    if (enough()) return false;
    if (!sandbox::places::matches(parts_[part], name)) return true;
    if (part + 1 == parts_.size()) {
      entry(folder, path, name, false);
    } else if (const Fd next = open_folder(folder, name)) {
      descend(next.get(), path + "/" + name, part + 1, depth + 1);
    }
    return !truncated_;
  });
}

void Walk::entry(int folder, const std::string& path, const std::string& name, bool exact) {
  struct stat status {};
  if (::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  // A wildcard means files, so that a folder which it happens to match is not worth a word.
  if (S_ISDIR(status.st_mode) && !exact) return;
  frames::Entry found;
  found.path = path + "/" + name;
  if (const char* refused = why_not(status)) {
    found.refused = refused;
  } else {
    found.size = static_cast<std::uint64_t>(status.st_size);
    found.executable = (status.st_mode & S_IXUSR) != 0;
    found.modified = status.st_mtime < 0 ? 0 : static_cast<std::uint64_t>(status.st_mtime);
  }
  report(std::move(found));
}

// A program that shut its own folder would otherwise miss its files without a word.
void Walk::closed(const std::string& path, int error) {
  if (error != EACCES) return;
  frames::Entry found;
  found.path = path;
  found.refused = "is a folder that its owner may not open";
  report(std::move(found));
}

void Walk::report(frames::Entry found) {
  if (seen_.contains(found.path)) return;
  if (seen_.size() >= order_.most) {
    truncated_ = true;
    return;
  }
  seen_.insert(found.path);
  wire_.send(frames::Type::entry, channel_, found.encode());
}

}  // namespace codebox::agent
