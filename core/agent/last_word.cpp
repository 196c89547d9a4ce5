#include "agent/last_word.hpp"

#include <dirent.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace codebox::agent {
namespace {

constexpr std::string_view name = "codebox-end";

}  // namespace

LastWord::LastWord() : listener_(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  // Without it, ends are seen a little later.
  if (!listener_ || ::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::listen(listener_.get(), 16) != 0) {
    listener_.reset();
  }
}

void LastWord::want(Polls& polls) const {
  polls.want(speaker_ ? speaker_.get() : listener_.get(), POLLIN);
}

std::optional<int> LastWord::of(pid_t pid) {
  // Whoever else connects is let go; a few a turn, so that nobody can keep us here.
  for (int round = 0; listener_ && round < 16; ++round) {
    if (!speaker_) speaker_.reset(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!speaker_) return std::nullopt;
    ucred peer{};
    socklen_t size = sizeof peer;
    unsigned char code = 0;
    const bool ours =
        ::getsockopt(speaker_.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid == pid;
    const auto got = ours ? ::recv(speaker_.get(), &code, 1, 0) : 0;
    if (got < 0) return std::nullopt;
    speaker_.reset();
    if (got == 1) return code;
  }
  return std::nullopt;
}

bool only_left(pid_t pid) {
  DIR* list = ::opendir("/proc");
  if (list == nullptr) return false;
  bool alone = true;
  while (const dirent* found = ::readdir(list)) {
    const auto number = std::strtol(found->d_name, nullptr, 10);
    if (number > 1 && number != pid) alone = false;
  }
  ::closedir(list);
  return alone;
}

}  // namespace codebox::agent
