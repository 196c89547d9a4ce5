#include "engine/body.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/random.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

/// These folders are memory, so that their sizes are exact on every file system.
json writable_places(const CreateSpec& spec, const std::vector<std::string>& volumes,
                     const Dialect& dialect) {
  const Limits& limits = spec.limits;
  const DiskShares shares = divide(limits.disk, volumes.size());
  json places = dialect.closed_places();
  for (const auto& volume : volumes) places[volume] = dialect.tmpfs(shares.volume);
  const auto shared = dialect.shared_memory(shares.shared_memory);
  if (!shared.empty()) places["/dev/shm"] = shared;
  // Ours come last: an image that declares one of them changes nothing.
  places["/sandbox"] = dialect.tmpfs(shares.work);
  places["/tmp"] = dialect.tmpfs(shares.temporary);
  // With a layer they are the image's, and as read-only as the rest of it.
  if (spec.layer.empty())
    places["/packages"] = dialect.tmpfs(limits.install);
  else
    places.erase("/packages");
  return places;
}

json ulimits(const Limits& limits, const Dialect& dialect) {
  json out = json::array();
  for (const auto& [name, value] : dialect.ulimits(limits.pids))
    out.push_back({{"Name", name}, {"Soft", value}, {"Hard", value}});
  return out;
}

json host_config(const CreateSpec& spec, const std::vector<std::string>& volumes, const Dialect& dialect,
                 const std::string& network) {
  const auto memory = memory_limit(spec.limits, !adjustable(spec.runtime));
  json host = {
      {"NetworkMode", network.empty() ? "none" : network},
      {"ReadonlyRootfs", true},
      {"Privileged", false},
      {"CapDrop", {"ALL"}},
      {"CapAdd", {"SETUID", "SETGID"}},
      {"SecurityOpt", {"no-new-privileges"}},
      {"PidsLimit", spec.limits.pids},
      {"Memory", memory},
      {"MemorySwap", memory},
      {"NanoCpus", static_cast<std::int64_t>(std::llround(spec.limits.cpus * 1e9))},
      {"OomScoreAdj", 500},
      {"Ulimits", ulimits(spec.limits, dialect)},
      {"Tmpfs", writable_places(spec, volumes, dialect)},
      {"ShmSize", divide(spec.limits.disk, volumes.size()).shared_memory},
      {"IpcMode", "private"},
      {"Init", false},
      {"AutoRemove", true},
      {"RestartPolicy", {{"Name", "no"}}},
      {"LogConfig", {{"Type", "none"}}},
      {"PublishAllPorts", false},
  };
  // Older control groups do not count what sockets hold, and the host has one pool of it for all: the agent
  // bounds how many sockets there are, this how much each of them keeps. Another runtime counts its own.
  if (spec.runtime.empty() && dialect.info.cgroups != "v2") {
    host["Sysctls"] = {{"net.ipv4.tcp_rmem", "4096 65536 131072"},
                       {"net.ipv4.tcp_wmem", "4096 16384 131072"}};
  }
  if (dialect.info.cgroups == "v2") host["CgroupnsMode"] = "private";
  if (!spec.runtime.empty()) host["Runtime"] = spec.runtime;
  return host;
}

}  // namespace

DiskShares divide(std::uint64_t disk, std::size_t volumes) {
  DiskShares shares;
  shares.shared_memory = std::min<std::uint64_t>(16ULL << 20, disk / 8);
  shares.volume = std::min<std::uint64_t>(4ULL << 20, disk / 128);
  // A quarter for what programs and ourselves keep in between, which is enough for the longest output as a
  // file.
  shares.temporary = disk / 4;
  shares.work = disk - shares.temporary - shares.shared_memory - volumes * shares.volume;
  return shares;
}

json create_body(const CreateSpec& spec, const std::string& image, const std::vector<std::string>& volumes,
                 const std::string& instance, const Dialect& dialect, const std::string& network) {
  return {
      {"Image", image},
      {"Entrypoint", {agent_path}},
      {"Cmd", json::array()},
      {"User", "0:0"},
      {"WorkingDir", "/"},
      {"Hostname", "sandbox"},
      {"Healthcheck", {{"Test", {"NONE"}}}},
      {"Labels", {{instance_label, instance}, {language_label, spec.language}}},
      {"AttachStdin", true},
      {"AttachStdout", true},
      {"AttachStderr", true},
      {"OpenStdin", true},
      {"StdinOnce", true},
      {"Tty", false},
      {"NetworkDisabled", network.empty()},
      {"HostConfig", host_config(spec, volumes, dialect, network)},
  };
}

json bridge_body(const std::string& instance, const std::string& name) {
  return {
      {"Name", name},
      {"CheckDuplicate", true},
      {"Driver", "bridge"},
      {"Internal", false},
      {"Attachable", false},
      {"EnableIPv6", false},
      {"Labels", {{instance_label, instance}}},
      {"Options",
       {{"com.docker.network.bridge.enable_icc", "false"},
        {"com.docker.network.bridge.enable_ip_masquerade", "true"}}},
  };
}

std::string random_name() {
  return "codebox-" + random_hex(8);
}

}  // namespace codebox::engine
