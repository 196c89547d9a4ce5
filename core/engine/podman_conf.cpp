#include "engine/podman_conf.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/text.hpp"

namespace codebox::engine {
namespace {

/// Podman raises what is not given as far as it can, which virtual machines refuse.
std::string bounded(const char* name, __rlimit_resource resource, rlim_t wanted) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) == 0) wanted = std::min(wanted, limit.rlim_max);
  const std::string number = std::to_string(wanted);
  return '"' + std::string(name) + '=' + number + ':' + number + '"';
}

}  // namespace

std::string podman_conf(bool unified, bool runc) {
  std::string out = "# Written at each start by codebox, for the Podman that it starts.\n[containers]\n";
  out += "default_ulimits = [" + bounded("nofile", RLIMIT_NOFILE, 4096) + ", " +
         bounded("nproc", RLIMIT_NPROC, 4096) + "]\n";
  // The proxy that this machine pulls through may hold a password, which is none of a sandbox's business.
  out += "http_proxy = false\nlog_driver = \"none\"\n";
  // Nor are the names and addresses that this machine's /etc/hosts knows.
  out += "base_hosts_file = \"none\"\n";
  out += "[engine]\ncgroup_manager = \"cgroupfs\"\nevents_logger = \"file\"\n";
  out += "compat_api_enforce_docker_hub = false\n";
  // crun refuses cgroup v1 where v2 is mounted beside it.
  if (!unified && runc) out += "runtime = \"runc\"\n";
  return out;
}

bool unified_cgroups() {
  std::error_code ignored;
  return std::filesystem::exists("/sys/fs/cgroup/cgroup.controllers", ignored);
}

std::string program_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  for (const auto& folder :
       text::split(path != nullptr ? path : "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", ':')) {
    const std::string program = std::string(folder) + "/" + name;
    if (!folder.empty() && ::access(program.c_str(), X_OK) == 0) return program;
  }
  return "";
}

}  // namespace codebox::engine
