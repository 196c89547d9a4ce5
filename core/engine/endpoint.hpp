#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/fd.hpp"
#include "base/result.hpp"

/// Where a container engine listens, and why it may not be reached. Any thread.
namespace codebox::engine::endpoint {

/// The addresses to try, in order, as "/path" or "tcp://host:port": the one of CONTAINER_HOST (also
/// "unix:///path") where set, else the usual ones of the backend ("auto", "docker" or "podman").
Result<std::vector<std::string>> candidates(const std::string& container_host, const std::string& backend);

/// The host and the port of an address "tcp://host:port"; an IPv6 host stands in brackets.
struct Host {
  std::string name;
  std::string port;
};
std::optional<Host> host_of(const std::string& address);

/// Whether there is something at `path`, as far as we may look.
bool exists(const std::string& path);

/// A connected stream socket, close-on-exec, for an address as candidates() gives it.
Result<Fd> connect(const std::string& address);

/// What to say when connecting to `path` failed with this errno.
Failure connect_failure(const std::string& path, int error);

}  // namespace codebox::engine::endpoint
