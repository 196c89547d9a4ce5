#include "engine/endpoint.hpp"

#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text.hpp"

namespace codebox::engine::endpoint {
namespace {

constexpr std::string_view scheme = "unix://";

std::string group_name(gid_t gid) {
  std::array<char, 4096> buffer{};
  group entry{};
  group* found = nullptr;
  const int error = ::getgrgid_r(gid, &entry, buffer.data(), buffer.size(), &found);
  return error == 0 && found ? found->gr_name : "without a name";
}

Failure not_permitted(const std::string& path) {
  std::string message =
      "The container engine's socket " + path + " may not be opened by uid " + std::to_string(::geteuid());
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0)
    return {Reason::offline, message +
                                 "; make its folder accessible to this user, or set CONTAINER_HOST to "
                                 "another socket."};
  const std::string gid = std::to_string(info.st_gid);
  message += "; it belongs to group " + group_name(info.st_gid) + " (gid " + gid + ")";
  if (info.st_gid == 0)
    return {Reason::offline, message +
                                 ": give the socket a group of its own and add this user to it, or use a "
                                 "rootless engine and set CONTAINER_HOST."};
  return {
      Reason::offline,
      message + ": add this user to that group and start again (in a container: --group-add " + gid + ")."};
}

}  // namespace

Result<std::vector<std::string>> candidates(const std::string& container_host, const std::string& backend) {
  if (!container_host.empty()) {
    std::string path = container_host;
    if (path.starts_with(scheme)) path.erase(0, scheme.size());
    if (!path.starts_with('/'))
      return Failure{Reason::invalid, "CONTAINER_HOST=" + text::quoted(container_host) +
                                          " is not supported; give a socket as unix:///path/to/socket."};
    if (path.size() >= sizeof(sockaddr_un::sun_path))
      return Failure{Reason::invalid, "CONTAINER_HOST=" + text::quoted(container_host) + " is longer than " +
                                          std::to_string(sizeof(sockaddr_un::sun_path) - 1) +
                                          " bytes; use a shorter path."};
    return std::vector<std::string>{path};
  }
  const bool docker = backend == "auto" || backend == "docker";
  const bool podman = backend == "auto" || backend == "podman";
  if (!docker && !podman)
    return Failure{Reason::invalid,
                   "CONTAINER_BACKEND=" + text::quoted(backend) + " is unknown; use auto, docker or podman."};
  std::vector<std::string> paths;
  if (docker) paths.emplace_back("/var/run/docker.sock");
  if (podman) paths.emplace_back("/run/podman/podman.sock");
  if (const char* const folder = std::getenv("XDG_RUNTIME_DIR"); folder && *folder == '/') {
    if (docker) paths.push_back(std::string(folder) + "/docker.sock");
    if (podman) paths.push_back(std::string(folder) + "/podman/podman.sock");
  }
  return paths;
}

bool exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 || errno == EACCES;
}

Result<Fd> connect(const std::string& path) {
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) return connect_failure(path, errno);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return connect_failure(path, ENAMETOOLONG);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return connect_failure(path, errno);
  return fd;
}

Failure connect_failure(const std::string& path, int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return not_permitted(path);
    case ENOENT:
    case ENOTDIR:
      return {Reason::offline, "There is no container engine's socket at " + path +
                                   "; start the engine, or set CONTAINER_HOST to its socket."};
    case ECONNREFUSED:
      return {Reason::offline,
              "Nothing listens on the container engine's socket " + path + "; start the engine."};
    default:
      return {Reason::offline, "The container engine's socket " + path + " cannot be reached: " +
                                   std::strerror(error) + "; check that the engine runs."};
  }
}

}  // namespace codebox::engine::endpoint
