#include "app/state_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "base/log.hpp"
#include "base/text.hpp"

namespace codebox::app {

Result<Fd> lock_state(const std::filesystem::path& state_dir, std::chrono::milliseconds patience) {
  Fd file(::open((state_dir / "instance").c_str(), O_RDONLY | O_CLOEXEC));
  const auto end = std::chrono::steady_clock::now() + patience;
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) {
      log::warn("STATE_DIR cannot be locked (" + std::string(std::strerror(errno)) +
                "): see that no other server has the same one.");
      return Fd();
    }
    if (std::chrono::steady_clock::now() >= end) {
      return Failure{Reason::invalid,
                     "STATE_DIR " + text::quoted(state_dir.string()) +
                         " is in use by a server that runs: end that one, or give this one a "
                         "STATE_DIR of its own."};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return file;
}

}  // namespace codebox::app
