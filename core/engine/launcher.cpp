#include "engine/launcher.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "engine/desk.hpp"

namespace codebox::engine {
namespace {

std::optional<Fd> inherited(const char* text) {
  int number = -1;
  const auto end = text + std::strlen(text);
  if (std::from_chars(text, end, number).ptr != end || number < 3) return {};
  if (::fcntl(number, F_SETFD, FD_CLOEXEC) != 0) return {};
  return Fd(number);
}

std::string read_all(int fd) {
  std::string out;
  std::array<char, 16384> piece{};
  for (ssize_t got = 0; (got = ::pread(fd, piece.data(), piece.size(), static_cast<off_t>(out.size()))) > 0;)
    out.append(piece.data(), static_cast<std::size_t>(got));
  return out;
}

}  // namespace

int launcher_main(int argc, char** argv) {
  auto control = argc >= 3 ? inherited(argv[argc - 2]) : std::nullopt;
  auto file = argc >= 3 ? inherited(argv[argc - 1]) : std::nullopt;
  if (!control || !file) {
    log::error("The launcher is started by the server; run `codebox serve` instead.");
    return 2;
  }
  // It outlives the server by the time that it needs to remove containers, also when a signal goes to both.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
  ::prctl(PR_SET_NAME, "codebox-launch", 0, 0, 0);
  try {
    const auto config = nlohmann::json::parse(read_all(file->get())).get<LauncherConfig>();
    // A rootless Podman that is started here needs newuidmap, which gains a privilege.
    const bool rootless_podman = ::geteuid() != 0 && config.endpoint.empty() && config.backend != "docker";
    if (!rootless_podman) ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    Desk(std::move(*control), config).serve();
    return 0;
  } catch (const std::exception& error) {
    log::error(std::string("The launcher cannot go on: ") + error.what() + ".");
    return 1;
  }
}

}  // namespace codebox::engine
