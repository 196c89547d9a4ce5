#pragma once
#include <string>

/// What starting Podman needs to know of this machine. Reads it alone; any thread.
namespace codebox::engine {

/// The containers.conf for a Podman that we start, for this machine's cgroups and limits. `runc` says whether
/// that runtime is installed.
std::string podman_conf(bool unified_cgroups, bool runc);

/// Whether cgroup v2 is all that this machine has.
bool unified_cgroups();

/// The path of a program that PATH names, or nothing.
std::string program_path(const std::string& name);

}  // namespace codebox::engine
