#include "engine/spawn.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/text.hpp"
#include "engine/wire.hpp"

namespace codebox::engine {
namespace {

/// Descriptors move out of the way of 3 and 4 first, or one dup2 could overwrite the other's source.
Fd above(int fd) {
  return Fd(::fcntl(fd, F_DUPFD_CLOEXEC, 16));
}

/// What an engine may need: where it listens, keeps its files and reaches registries. The server's other
/// variables hold secrets.
std::vector<std::string> engine_variables() {
  std::vector<std::string> out;
  for (const char* const name :
       {"PATH", "HOME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "DOCKER_CONFIG",
        "REGISTRY_AUTH_FILE", "CONTAINERS_STORAGE_CONF", "CONTAINERS_REGISTRIES_CONF", "SSL_CERT_FILE",
        "SSL_CERT_DIR", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"})
    if (const char* const value = std::getenv(name)) out.push_back(std::string(name) + "=" + value);
  return out;
}

class Actions {
 public:
  Actions() {
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() {
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};
};

}  // namespace

Fd memory_file(const std::string& content) {
  Fd file(::memfd_create("codebox-launcher", MFD_CLOEXEC));
  for (std::size_t done = 0; file && done < content.size();) {
    const ssize_t wrote = ::write(file.get(), content.data() + done, content.size() - done);
    if (wrote <= 0) return Fd();
    done += static_cast<std::size_t>(wrote);
  }
  return file;
}

Result<Spawned> spawn_launcher(const std::string& program, const std::string& config) {
  auto ends = wire::make_pair();
  if (!ends) return ends.failure();
  const Fd control = above(ends->second.get());
  const Fd plain = memory_file(config);
  const Fd file = plain ? above(plain.get()) : Fd();
  if (!control || !file)
    return Failure{Reason::internal, "No file descriptor or memory is left to start the launcher."};
  Actions actions;
  ::posix_spawn_file_actions_addopen(&actions.files, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions.files, 2, 1);
  ::posix_spawn_file_actions_adddup2(&actions.files, control.get(), 3);
  ::posix_spawn_file_actions_adddup2(&actions.files, file.get(), 4);
  ::posix_spawn_file_actions_addclosefrom_np(&actions.files, 5);
  std::string name = program;
  std::string verb = "launcher";
  std::string third = "3";
  std::string fourth = "4";
  std::array<char*, 5> argv{name.data(), verb.data(), third.data(), fourth.data(), nullptr};
  auto variables = engine_variables();
  std::vector<char*> environment;
  for (auto& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  Spawned spawned;
  const int error = ::posix_spawn(&spawned.pid, program.c_str(), &actions.files, &actions.attributes,
                                  argv.data(), environment.data());
  if (error != 0)
    return Failure{Reason::internal, "The launcher " + text::quoted(program) + " cannot be started: " +
                                         std::strerror(error) + "; install codebox completely."};
  spawned.control = std::move(ends->first);
  return spawned;
}

}  // namespace codebox::engine
