#include "agent/share.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "base/fd.hpp"

namespace codebox::agent {
namespace {

// No program needs more at once. The engine room bounds what one socket can hold.
constexpr std::size_t most_terminals = 128;
constexpr std::size_t most_sockets = 1024;

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

std::string more_than(std::size_t most, const char* what) {
  return "more than " + std::to_string(most) + " " + what;
}

}  // namespace

std::string over_share() {
  if (open_terminals() > most_terminals) return more_than(most_terminals, "pseudo-terminals");
  if (open_sockets("/proc/net/sockstat") + open_sockets("/proc/net/sockstat6") > most_sockets) {
    return more_than(most_sockets, "network sockets");
  }
  return {};
}

}  // namespace codebox::agent
