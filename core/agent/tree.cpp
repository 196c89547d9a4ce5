#include "agent/tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "sandbox/places.hpp"

namespace codebox::agent {
namespace {

using frames::Outcome;

void refuse(Outcome& outcome, Outcome::Code code, std::string message) {
  outcome.code = code;
  outcome.message = std::move(message);
}

void refuse_errno(Outcome& outcome, int error) {
  switch (error) {
    case EEXIST:
      return refuse(outcome, Outcome::invalid, "something is there already");
    case ENOSPC:
      return refuse(outcome, Outcome::too_large, "no space is left in the sandbox (SANDBOX_MAX_DISK)");
    case ENOTDIR:
    case ELOOP:
      return refuse(outcome, Outcome::invalid, "a part of the path is no folder");
    case ENOENT:
      return refuse(outcome, Outcome::not_found, "it does not exist");
    default:
      return refuse(outcome, Outcome::failed, ::strerror(error));
  }
}

}  // namespace

Fd open_folder(int parent, const char* name) {
  Fd folder(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat opened {};
  struct stat named {};
  // Not every kernel under a sandbox minds O_NOFOLLOW beside O_DIRECTORY (gVisor's did not), so what was
  // opened has to be what stands there.
  if (folder &&
      (::fstat(folder.get(), &opened) != 0 || ::fstatat(parent, name, &named, AT_SYMLINK_NOFOLLOW) != 0 ||
       S_ISLNK(named.st_mode) || opened.st_dev != named.st_dev || opened.st_ino != named.st_ino)) {
    folder.reset();
    errno = ELOOP;
  }
  return folder;
}

const char* why_not(const struct stat& status) {
  if (S_ISREG(status.st_mode)) return nullptr;
  if (S_ISLNK(status.st_mode)) return "is a symbolic link";
  if (S_ISDIR(status.st_mode)) return "is a folder";
  if (S_ISFIFO(status.st_mode)) return "is a pipe";
  if (S_ISSOCK(status.st_mode)) return "is a socket";
  return "is a device";
}

Put::Put(const frames::PutOpen& order, const StepUser& user, Outcome& outcome)
    : user_(user), left_(order.size), mode_(order.mode & 0777) {
  open(order.path, outcome);
}

void Put::open(const std::string& path, Outcome& outcome) {
  const auto parts = sandbox::places::parts(path);
  if (parts.empty()) return refuse(outcome, Outcome::invalid, "it is not below a writable place");
  AsStepUser guard(user_);
  folder_ = open_folder(AT_FDCWD, ("/" + parts[0]).c_str());
  for (std::size_t i = 1; folder_ && i + 1 < parts.size(); ++i) {
    if (::mkdirat(folder_.get(), parts[i].c_str(), 0755) != 0 && errno != EEXIST) {
      return refuse_errno(outcome, errno);
    }
    folder_ = open_folder(folder_.get(), parts[i].c_str());
  }
  if (!folder_) return refuse_errno(outcome, errno);
  const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  file_.reset(::openat(folder_.get(), parts.back().c_str(), flags, 0600));
  if (!file_) return refuse_errno(outcome, errno);
  name_ = parts.back();
}

bool Put::write(std::string_view bytes, Outcome& outcome) {
  if (bytes.size() > left_) {
    refuse(outcome, Outcome::failed, "more bytes came than were announced");
    remove();
    return false;
  }
  left_ -= bytes.size();
  AsStepUser guard(user_);
  while (!bytes.empty()) {
    const auto put = ::write(file_.get(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      refuse_errno(outcome, errno);
      ::unlinkat(folder_.get(), name_.c_str(), 0);
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

void Put::finish(bool abandon, Outcome& outcome) {
  if (abandon) return remove();
  if (left_ > 0) {
    refuse(outcome, Outcome::failed, "fewer bytes came than were announced");
    return remove();
  }
  AsStepUser guard(user_);
  if (::fchmod(file_.get(), mode_) != 0) refuse_errno(outcome, errno);
}

void Put::remove() {
  AsStepUser guard(user_);
  ::unlinkat(folder_.get(), name_.c_str(), 0);
}

void remove_files(const std::string& folder, const StepUser& user) {
  AsStepUser guard(user);
  Fd opened = open_folder(AT_FDCWD, folder.c_str());
  DIR* const entries = opened ? ::fdopendir(opened.get()) : nullptr;
  if (entries == nullptr) return;
  const int fd = opened.release();  // the stream's now
  while (const dirent* entry = ::readdir(entries)) ::unlinkat(fd, entry->d_name, 0);
  ::closedir(entries);
}

Opened open_file(const std::string& path, const StepUser& user, Outcome& outcome) {
  Opened opened;
  const auto parts = sandbox::places::parts(path);
  if (parts.empty()) {
    refuse(outcome, Outcome::invalid, "it is not below a writable place");
    return opened;
  }
  AsStepUser guard(user);
  Fd folder = open_folder(AT_FDCWD, ("/" + parts[0]).c_str());
  for (std::size_t i = 1; folder && i + 1 < parts.size(); ++i)
    folder = open_folder(folder.get(), parts[i].c_str());
  struct stat status {};
  if (!folder || ::fstatat(folder.get(), parts.back().c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    refuse_errno(outcome, errno);
    return opened;
  }
  if (const char* why = why_not(status)) {
    refuse(outcome, Outcome::invalid, std::string("it ") + why);
    return opened;
  }
  Fd file(::openat(folder.get(), parts.back().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  // The file may have been swapped in between, so what was opened is looked at once more.
  if (!file || ::fstat(file.get(), &status) != 0) {
    refuse_errno(outcome, errno);
  } else if (const char* why = why_not(status)) {
    refuse(outcome, Outcome::invalid, std::string("it ") + why);
  } else {
    opened.size = static_cast<std::uint64_t>(status.st_size);
    opened.file = std::move(file);
  }
  return opened;
}

}  // namespace codebox::agent
