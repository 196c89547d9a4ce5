#include "plugin/gate.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/text.hpp"
#include "plugin/elf.hpp"

namespace codebox::plugin {
namespace {

constexpr const char* signature_ending = ".sig";

std::string why(int error) {
  return std::strerror(error);
}

bool trusted(uid_t owner) {
  return owner == 0 || owner == ::geteuid();
}

Finding foreign(const std::string& what, uid_t owner) {
  return {"owner", what + " belongs to uid " + std::to_string(owner) + "; make it belong to root or to uid " +
                       std::to_string(::geteuid()) + ", which the server runs as."};
}

Finding folder_fault(const std::filesystem::path& folder, const struct stat& st) {
  const std::string what = "The folder " + text::quoted(folder.native());
  if (!trusted(st.st_uid)) return foreign(what, st.st_uid);
  if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (st.st_mode & S_ISVTX) == 0) {
    return {"writable", what + " may be written by others than its owner; run chmod go-w on it."};
  }
  return {};
}

Finding file_fault(const std::string& name, const struct stat& st) {
  const std::string what = "The file " + text::quoted(name);
  if (!S_ISREG(st.st_mode))
    return {"not_regular", what + " is not a regular file; put the library itself there."};
  if (!trusted(st.st_uid)) return foreign(what, st.st_uid);
  if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return {"writable", what + " may be written by others than its owner; run chmod go-w on it."};
  }
  if (st.st_size < 0 || static_cast<std::uint64_t>(st.st_size) > largest_library) {
    return {"too_large", what + " has " + text::size(static_cast<std::uint64_t>(st.st_size)) +
                             "; a plugin may have at most " + text::size(largest_library) + "."};
  }
  return {};
}

/// Copies until the end of the file, which may have grown since it was measured.
Checked<Fd> sealed_copy(const std::string& name, int from) {
  Fd memory(::memfd_create("codebox-plugin", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory)
    return Finding{"unreadable",
                   "No memory file can be made for " + text::quoted(name) + ": " + why(errno) + "."};
  std::array<char, 65536> buffer;
  std::uint64_t total = 0;
  while (true) {
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return Finding{"unreadable", "The file " + text::quoted(name) + " cannot be read: " + why(errno) + "."};
    if (got == 0) break;
    total += static_cast<std::uint64_t>(got);
    if (total > largest_library) {
      return Finding{"too_large",
                     "The file " + text::quoted(name) + " grew past " + text::size(largest_library) + "."};
    }
    for (ssize_t done = 0; done < got;) {
      const ssize_t put = ::write(memory.get(), buffer.data() + done, static_cast<std::size_t>(got - done));
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return Finding{"unreadable", "No memory is left to copy " + text::quoted(name) + "."};
      done += put;
    }
  }
  if (::fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) {
    return Finding{"unreadable",
                   "The copy of " + text::quoted(name) + " cannot be sealed: " + why(errno) + "."};
  }
  return memory;
}

}  // namespace

Result<Gate> Gate::open(const std::filesystem::path& folder, TrustedKeys keys) {
  Gate gate;
  gate.keys_ = std::move(keys);
  std::error_code error;
  gate.folder_ = std::filesystem::canonical(folder, error);
  const auto unreadable = [&](const std::string& reason) {
    return Failure{Reason::invalid, "The plugin folder " + text::quoted(folder.native()) +
                                        " cannot be read: " + reason +
                                        "; set PLUGIN_DIR to a folder that holds plugins."};
  };
  if (error) return unreadable(error.message());
  std::filesystem::path so_far;
  for (const auto& part : gate.folder_) {
    so_far /= part;
    Fd next(::openat(gate.fd_ ? gate.fd_.get() : AT_FDCWD, part.c_str(),
                     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat st {};
    if (!next || ::fstat(next.get(), &st) != 0) return unreadable(why(errno));
    if (gate.unsafe_.id.empty()) gate.unsafe_ = folder_fault(so_far, st);
    gate.fd_ = std::move(next);
  }
  return gate;
}

Result<std::vector<std::string>> Gate::names() const {
  const int copy = ::openat(fd_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(copy < 0 ? nullptr : ::fdopendir(copy), ::closedir);
  if (!entries) {
    return Failure{Reason::invalid, "The plugin folder " + text::quoted(folder_.native()) +
                                        " cannot be listed: " + why(errno) + "."};
  }
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name(entry->d_name);
    if (name.ends_with(".so") && !name.starts_with('.')) names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string Gate::identity(const std::string& name) const {
  struct stat st {};
  if (!unsafe_.id.empty() || ::fstatat(fd_.get(), name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) return {};
  const std::array<std::int64_t, 7> numbers = {static_cast<std::int64_t>(st.st_dev),
                                               static_cast<std::int64_t>(st.st_ino),
                                               st.st_size,
                                               st.st_mtim.tv_sec,
                                               st.st_mtim.tv_nsec,
                                               st.st_ctim.tv_sec,
                                               st.st_ctim.tv_nsec};
  std::string identity;
  for (const auto number : numbers) identity += std::to_string(number) + ' ';
  if (!keys_.empty() && !name.ends_with(signature_ending))
    identity += this->identity(name + signature_ending);
  return identity;
}

Finding Gate::signature_fault(const std::string& name, int library) const {
  const std::string beside = name + signature_ending;
  const Fd file(::openat(fd_.get(), beside.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file) {
    return {"unsigned", "There is no signature " + text::quoted(beside) +
                            " that can be read, and PLUGIN_TRUSTED_KEYS is set; sign the library with one of "
                            "those keys."};
  }
  std::array<char, signature_size + 1> signature{};
  const ssize_t got = ::read(file.get(), signature.data(), signature.size());
  struct stat st {};
  void* bytes = MAP_FAILED;
  if (::fstat(library, &st) == 0 && st.st_size > 0)
    bytes = ::mmap(nullptr, static_cast<std::size_t>(st.st_size), PROT_READ, MAP_PRIVATE, library, 0);
  bool made = false;
  if (bytes != MAP_FAILED) {
    const auto size = static_cast<std::size_t>(st.st_size);
    made = got == static_cast<ssize_t>(signature_size) &&
           keys_.made({signature.data(), signature_size}, {static_cast<const char*>(bytes), size});
    ::munmap(bytes, size);
  }
  if (made) return {};
  return {"signature", "The signature " + text::quoted(beside) +
                           " is not one of this library by a key of PLUGIN_TRUSTED_KEYS; sign it anew."};
}

Checked<Fd> Gate::admit(const std::string& name) const {
  if (!unsafe_.id.empty()) return unsafe_;
  // O_NONBLOCK, so that a FIFO of that name does not hold the server up.
  const Fd file(::openat(fd_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file && errno == ELOOP) {
    return Finding{"symlink",
                   "The file " + text::quoted(name) + " is a symbolic link; put the library itself there."};
  }
  struct stat st {};
  if (!file || ::fstat(file.get(), &st) != 0) {
    return Finding{"unreadable", "The file " + text::quoted(name) + " cannot be opened: " + why(errno) + "."};
  }
  if (Finding fault = file_fault(name, st); !fault.id.empty()) return fault;
  auto copy = sealed_copy(name, file.get());
  if (finding(copy)) return copy;
  const int sealed = std::get<Fd>(copy).get();
  if (!keys_.empty()) {
    if (auto fault = signature_fault(name, sealed); !fault.id.empty()) return fault;
  }
  if (auto fault = elf_fault(sealed); !fault.id.empty()) return fault;
  return copy;
}

}  // namespace codebox::plugin
