#pragma once
#include <string>
#include <vector>

#include "base/fd.hpp"
#include "base/result.hpp"

/// Where a container engine listens, and why it may not be reached. Any thread.
namespace codebox::engine::endpoint {

/// The socket paths to try, in order: the one of CONTAINER_HOST ("unix:///path" or "/path") where set, else
/// the usual ones of the backend ("auto", "docker" or "podman").
Result<std::vector<std::string>> candidates(const std::string& container_host, const std::string& backend);

/// Whether there is something at `path`, as far as we may look.
bool exists(const std::string& path);

/// A connected stream socket, close-on-exec.
Result<Fd> connect(const std::string& path);

/// What to say when connecting to `path` failed with this errno.
Failure connect_failure(const std::string& path, int error);

}  // namespace codebox::engine::endpoint
