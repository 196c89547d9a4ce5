#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <vector>

#include "agent/prove.hpp"
#include "base/fd.hpp"

namespace codebox::agent::prove {
namespace {

constexpr std::uint64_t step = 256 * 1024;
// Where an engine knows no limit on inodes the agent counts files (agent/share.hpp); so many show that none
// is there.
constexpr std::uint64_t many_files = 20'000;

/// A mounted place in which the step user can make files, each file system once.
std::vector<std::string> writable_places() {
  std::vector<std::string> places;
  std::set<dev_t> seen;
  const auto mounts = slurp("/proc/self/mounts");
  for (std::size_t at = 0; at < mounts.size();) {
    const auto end = std::min(mounts.find('\n', at), mounts.size());
    const auto line = mounts.substr(at, end - at);
    at = end + 1;
    const auto first = line.find(' ');
    const auto second = line.find(' ', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const auto place = line.substr(first + 1, second - first - 1);
    // Message queues take no bytes as a file does and have a limit of their own for each user.
    if (line.compare(second, 8, " mqueue ") == 0) continue;
    const auto probe = place + "/.codebox-proof";
    struct stat status {};
    if (::stat(place.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) continue;
    const Fd file(::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file) continue;
    ::unlink(probe.c_str());
    if (seen.insert(status.st_dev).second) places.push_back(place);
  }
  return places;
}

/// Writes until the place is full or holds more than `most`, with its errno; the file stays.
std::uint64_t fill(const std::string& place, std::uint64_t most, int& error) {
  const Fd file(::open((place + "/.codebox-full").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  error = file ? 0 : errno;
  static const std::vector<char> zeros(step);
  std::uint64_t written = 0;
  while (file && error == 0 && written <= most) {
    const auto put = ::write(file.get(), zeros.data(), zeros.size());
    if (put < 0) {
      error = errno;
    } else {
      written += static_cast<std::uint64_t>(put);
    }
  }
  return written;
}

std::uint64_t make_files(const std::string& place, std::uint64_t most, int& error) {
  const auto folder = place + "/.codebox-files";
  ::mkdir(folder.c_str(), 0700);
  std::uint64_t made = 0;
  error = 0;
  for (; made < most; ++made) {
    const Fd file(
        ::open((folder + "/" + std::to_string(made)).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    if (!file) {
      error = errno;
      break;
    }
  }
  for (std::uint64_t i = 0; i < made; ++i) ::unlink((folder + "/" + std::to_string(i)).c_str());
  ::rmdir(folder.c_str());
  return made;
}

void inodes(const std::vector<std::string>& places) {
  std::string without;
  for (const auto& place : places) {
    struct statvfs status {};
    const bool told = ::statvfs(place.c_str(), &status) == 0 && status.f_files != 0;
    // gVisor tells no number of files and knows no limit on it. They are its own memory, and none of the
    // host's.
    if (!told && own_kernel())
      return report("inodes", true,
                    "files are memory of the sandbox's own kernel, which the memory limit holds");
    // Nobody could count them.
    if (!told)
      return report("inodes", false, place + " has no limit on files and does not tell how many there are");
    if (status.f_files > many_files) {
      without += " " + place;
      continue;
    }
    int error = 0;
    const auto made = make_files(place, status.f_files + 16, error);
    if (error != ENOSPC || made > status.f_files) {
      return report("inodes", false,
                    place + " took " + std::to_string(made) + " files of " + std::to_string(status.f_files));
    }
  }
  report("inodes", true,
         without.empty() ? "every writable place takes so many files and no more"
                         : "counted by the agent in" + without + ", limited elsewhere");
}

}  // namespace

void disk(std::uint64_t disk, std::uint64_t install) {
  constexpr std::uint64_t slack = 4 << 20;
  const auto places = writable_places();
  std::uint64_t program = 0, packages = 0;
  std::string seen, wrong;
  for (const auto& place : places) {
    const bool prefix = place == "/packages";
    int error = 0;
    const auto written = fill(place, (prefix ? install : disk) + slack, error);
    (prefix ? packages : program) += written;
    seen += " " + place + " " + mebibytes(written);
    if (error != ENOSPC) wrong += " " + place + ": " + (error == 0 ? "never full" : ::strerror(error));
  }
  for (const auto& place : places) ::unlink((place + "/.codebox-full").c_str());
  const bool holds = wrong.empty() && program <= disk && packages <= install && program > 0;
  report("disk", holds,
         holds ? "\"no space left\" after" + seen + ", as it should be"
               : "at most " + mebibytes(disk) + " and " + mebibytes(install) + " were allowed, written were" +
                     seen + (wrong.empty() ? "" : ";" + wrong));
  inodes(places);
}

}  // namespace codebox::agent::prove
