#include "engine/endpoint.hpp"

#include <fcntl.h>
#include <grp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/text.hpp"

namespace codebox::engine::endpoint {
namespace {

constexpr std::string_view scheme = "unix://";
constexpr std::string_view tcp_scheme = "tcp://";
constexpr int connect_patience = 10'000;

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

Failure not_reached(const std::string& address, const std::string& why) {
  return {Reason::offline, "The container engine at " + address + " cannot be reached: " + why +
                               "; check CONTAINER_HOST and that the engine listens there."};
}

/// Connects without waiting longer than `connect_patience`; true when it is connected.
bool reach(int fd, const addrinfo& way) {
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  if (::connect(fd, way.ai_addr, way.ai_addrlen) != 0) {
    if (errno != EINPROGRESS) return false;
    pollfd waiting{fd, POLLOUT, 0};
    if (::poll(&waiting, 1, connect_patience) != 1) {
      errno = ETIMEDOUT;
      return false;
    }
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
    errno = error;
    if (error != 0) return false;
  }
  ::fcntl(fd, F_SETFL, 0);
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  // An engine that is gone without a word is noticed.
  ::setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  return true;
}

Result<Fd> connect_tcp(const std::string& address, const Host& host) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(host.name.c_str(), host.port.c_str(), &wanted, &found); error != 0)
    return not_reached(address, ::gai_strerror(error));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> ways(found, ::freeaddrinfo);
  std::string why = "it has no address";
  for (const addrinfo* way = ways.get(); way != nullptr; way = way->ai_next) {
    Fd fd(::socket(way->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (fd && reach(fd.get(), *way)) return fd;
    why = std::strerror(errno);
  }
  return not_reached(address, why);
}

}  // namespace

Result<std::vector<std::string>> candidates(const std::string& container_host, const std::string& backend) {
  if (!container_host.empty()) {
    if (host_of(container_host)) return std::vector<std::string>{container_host};
    std::string path = container_host;
    if (path.starts_with(scheme)) path.erase(0, scheme.size());
    if (!path.starts_with('/'))
      return Failure{Reason::invalid, "CONTAINER_HOST=" + text::quoted(container_host) +
                                          " is not supported; give a socket as unix:///path/to/socket, or "
                                          "tcp://host:port."};
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

std::optional<Host> host_of(const std::string& address) {
  if (!address.starts_with(tcp_scheme)) return {};
  std::string rest = address.substr(tcp_scheme.size());
  if (rest.ends_with('/')) rest.pop_back();
  const auto colon = rest.rfind(':');
  if (colon == std::string::npos || colon == 0 || rest.find_first_of("/@ ") != std::string::npos) return {};
  Host host{rest.substr(0, colon), rest.substr(colon + 1)};
  const bool number = !host.port.empty() && host.port.size() <= 5 &&
                      host.port.find_first_not_of("0123456789") == std::string::npos;
  if (host.name.starts_with('[') && host.name.ends_with(']'))
    host.name = host.name.substr(1, host.name.size() - 2);
  if (!number || host.name.empty()) return {};
  return host;
}

Result<Fd> connect(const std::string& path) {
  if (const auto host = host_of(path)) return connect_tcp(path, *host);
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
