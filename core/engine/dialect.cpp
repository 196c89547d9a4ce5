#include "engine/dialect.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

constexpr int wanted_minor = 41;
constexpr std::chrono::seconds patience{10};

/// The minor number of "1.41", or `otherwise` where it is not of that form.
int minor_of(const json& version, const char* name, int otherwise) {
  const std::string text = version.value(name, "");
  int minor = otherwise;
  if (text.starts_with("1.")) std::from_chars(text.data() + 2, text.data() + text.size(), minor);
  return minor;
}

bool is_podman(const json& version) {
  for (const auto& part : version.value("Components", json::array()))
    if (part.is_object() && part.value("Name", "").starts_with("Podman")) return true;
  return false;
}

Result<json> ask(const Api& api, const std::string& target) {
  const auto answer = api.call("GET", target, {}, {}, patience);
  if (!answer) return answer.failure();
  if (!answer->ok()) return refusal("say what it is", *answer);
  auto parsed = json::parse(answer->body, nullptr, false);
  if (!parsed.is_object())
    return Failure{Reason::offline, "What listens on " + api.address() +
                                        " is not a container engine; set "
                                        "CONTAINER_HOST to the engine's socket."};
  return parsed;
}

Failure no_limits(const Dialect& engine, const std::string& why) {
  return {Reason::engine,
          "rootless " + std::string(engine.podman() ? "Podman" : "Docker") + " at " + engine.info.endpoint +
              " cannot apply limits: " + why +
              "; use a rootful engine, or cgroup v2 with the controllers memory, pids and cpu "
              "delegated to this user."};
}

/// A rootless engine may ignore limits without a word; then it is refused by name.
Result<void> limits_hold(const Api& api, const Dialect& engine, const json& info) {
  if (!engine.info.rootless) return {};
  if (engine.info.cgroups != "v2") return no_limits(engine, "this machine has cgroup " + engine.info.cgroups);
  if (!engine.podman()) {
    for (const char* const limit : {"MemoryLimit", "PidsLimit", "CpuCfsQuota"})
      if (!info.value(limit, false)) return no_limits(engine, std::string(limit) + " is not supported");
    return {};
  }
  const auto own = ask(api, "/v4.0.0/libpod/info");
  if (!own) return own.failure();
  const auto controllers = own->value("host", json::object()).value("cgroupControllers", json::array());
  for (const char* const wanted : {"memory", "pids", "cpu"})
    if (std::find(controllers.begin(), controllers.end(), json(wanted)) == controllers.end())
      return no_limits(engine, "the cgroup controller " + std::string(wanted) + " is not delegated");
  return {};
}

Result<Dialect> describe(const Api& api) {
  const auto version = ask(api, "/version");
  if (!version) return version.failure();
  const int most = minor_of(*version, "ApiVersion", wanted_minor);
  const int least = minor_of(*version, "MinAPIVersion", 12);
  if (most < 40)
    return Failure{Reason::engine, "The container engine at " + api.address() + " speaks API 1." +
                                       std::to_string(most) +
                                       "; 1.40 or newer is needed, update the engine."};
  Dialect out;
  out.prefix = "/v1." + std::to_string(std::max(least, std::min(most, wanted_minor)));
  const auto info = ask(api, out.prefix + "/info");
  if (!info) return info.failure();
  out.info.name = is_podman(*version) ? "podman" : "docker";
  out.info.version = version->value("Version", "");
  out.info.endpoint = (api.address().starts_with('/') ? "unix://" : "") + api.address();
  out.info.cgroups = "v" + info->value("CgroupVersion", std::string("1"));
  out.info.memory = info->value("MemTotal", std::uint64_t{0});
  out.info.cpus = info->value("NCPU", 0);
  for (const auto& option : info->value("SecurityOptions", json::array()))
    if (option.is_string() && option.get<std::string>().find("name=rootless") != std::string::npos)
      out.info.rootless = true;
  out.architecture = common_name(info->value("Architecture", ""));
  if (const auto fine = limits_hold(api, out, *info); !fine) return fine.failure();
  return out;
}

// An inode for every 8 KiB lets a package tree of small files in and keeps a flood of empty files out.
std::string inodes(std::uint64_t size) {
  return std::to_string(std::max<std::uint64_t>(256, size / 8192));
}

}  // namespace

std::string common_name(const std::string& architecture) {
  if (architecture == "x86_64") return "amd64";
  if (architecture == "aarch64") return "arm64";
  if (architecture.starts_with("armv")) return "arm";
  return architecture;
}

std::string Dialect::tmpfs(std::uint64_t size) const {
  const std::string options = "rw,exec,nosuid,nodev,size=" + std::to_string(size) + ",mode=1777";
  // Podman knows no inode limit (the agent counts files there), and otherwise copies what the image has at
  // that place.
  if (podman()) return options + ",notmpcopyup";
  return options + ",nr_inodes=" + inodes(size);
}

std::string Dialect::shared_memory(std::uint64_t size) const {
  if (podman()) return {};
  return "rw,noexec,nosuid,nodev,size=" + std::to_string(size) + ",mode=1777,nr_inodes=" + inodes(size);
}

std::map<std::string, std::string> Dialect::closed_places() const {
  if (!podman()) return {};
  const std::string options = "ro,noexec,nosuid,nodev,size=65536,mode=0755,notmpcopyup";
  return {{"/run", options}, {"/var/tmp", options}};
}

std::map<std::string, std::int64_t> Dialect::ulimits(std::int64_t pids) const {
  std::map<std::string, std::int64_t> limits{{"nofile", 4096}, {"core", 0}};
  // Podman raises what is not given as far as it can, and fails where its own hard limit is lower.
  if (podman()) limits["nproc"] = std::min<std::int64_t>(pids, 4096);
  return limits;
}

Dialect::Request Dialect::memory_update(const std::string& id, std::uint64_t bytes) const {
  if (podman())
    return {"/v4.0.0/libpod/containers/" + id + "/update",
            json{{"memory", {{"limit", bytes}, {"swap", bytes}}}}.dump()};
  return {prefix + "/containers/" + id + "/update", json{{"Memory", bytes}, {"MemorySwap", bytes}}.dump()};
}

bool Dialect::removed(const Api::Answer& answer) const {
  if (answer.ok() || answer.status == 404) return true;
  const std::string words = text::lower(error_text(answer));
  if (answer.status == 409) return words.find("already in progress") != std::string::npos;
  return podman() && words.find("no such container") != std::string::npos;
}

bool Dialect::ending(const Api::Answer& answer) const {
  return podman() && error_text(answer).find("container state improper") != std::string::npos;
}

Result<Dialect> recognise(const Api& api) {
  try {
    return describe(api);
  } catch (const json::exception&) {
    return Failure{Reason::offline, "What listens on " + api.address() +
                                        " does not answer like a container engine; "
                                        "set CONTAINER_HOST to the engine's socket."};
  }
}

}  // namespace codebox::engine
