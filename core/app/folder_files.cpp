#include "app/folder_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/fd.hpp"
#include "base/text.hpp"

namespace codebox::app {
namespace {

Failure cannot(const char* what, const std::string& path, int error) {
  return {Reason::invalid, std::string("The file ") + text::quoted(path) + " cannot be " + what + ": " +
                               std::strerror(error) + "."};
}

Result<void> write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannot("written", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// `name`, or "name-2.ext" and so on where that is taken.
std::filesystem::path numbered(const std::filesystem::path& folder, const std::string& name, int number) {
  if (number == 1) return folder / name;
  const std::filesystem::path path(name);
  return folder / (path.stem().string() + '-' + std::to_string(number) + path.extension().string());
}

}  // namespace

Result<openwebui::RemoteFile> FolderFiles::find(const Caller&, const std::string& reference, Time,
                                                std::stop_token) {
  struct stat status {};
  if (::stat(reference.c_str(), &status) != 0) return cannot("read", reference, errno);
  if (!S_ISREG(status.st_mode))
    return Failure{Reason::invalid, "The input " + text::quoted(reference) + " is no regular file."};
  return openwebui::RemoteFile{reference, std::filesystem::path(reference).filename().string(), "",
                               static_cast<std::uint64_t>(status.st_size)};
}

Result<std::uint64_t> FolderFiles::download(const Caller&, const openwebui::RemoteFile& file,
                                            std::uint64_t limit, ByteSink& bytes, Time, std::stop_token) {
  const Fd fd(::open(file.id.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return cannot("read", file.id, errno);
  std::array<char, 65536> part{};
  std::uint64_t total = 0;
  while (true) {
    const ssize_t got = ::read(fd.get(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot("read", file.id, errno);
    if (got == 0) return total;
    total += static_cast<std::uint64_t>(got);
    if (total > limit)
      return Failure{Reason::too_large, "The input file " + text::quoted(file.name) + " is too large."};
    if (auto written = bytes.write({part.data(), static_cast<std::size_t>(got)}); !written)
      return written.failure();
  }
}

Result<openwebui::StoredFile> FolderFiles::upload(const Caller&, const std::string& name, std::uint64_t,
                                                  ByteSource& bytes, Time, std::stop_token) {
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  std::filesystem::path path;
  Fd fd;
  for (int number = 1; !fd && number < 1000; ++number) {
    path = numbered(folder_, name, number);
    fd.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!fd && errno != EEXIST) break;
  }
  if (!fd) return cannot("written", path.string(), errno);
  std::array<char, 65536> part{};
  while (true) {
    auto got = bytes.read(part);
    auto written =
        got ? write_all(fd.get(), {part.data(), *got}, path.string()) : Result<void>(got.failure());
    if (!written) {
      std::filesystem::remove(path, failed);
      return written.failure();
    }
    if (*got == 0) return openwebui::StoredFile{path.filename().string(), path.string()};
  }
}

}  // namespace codebox::app
