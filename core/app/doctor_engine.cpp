#include <sys/stat.h>
#include <unistd.h>

#include "app/doctor.hpp"
#include "base/text.hpp"

namespace codebox::app::doctor {
namespace {

constexpr std::string_view unix_scheme = "unix://";

void look_at_socket(Report& report, const std::string& endpoint) {
  if (!endpoint.starts_with(unix_scheme))
    return report.ok("socket", "The engine is reached at " + endpoint + ".");
  const std::string path = endpoint.substr(unix_scheme.size());
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return report.ok("socket", "The engine's socket is " + path + ".");
  if ((about.st_mode & S_IWOTH) != 0) {
    return report.warn("socket",
                       "Everybody on this machine may use the engine's socket " + path +
                           ", which is as much as being root: take the right to write from others.");
  }
  report.ok("socket", "The engine's socket " + path + " may be opened by uid " + std::to_string(::geteuid()) +
                          " and belongs to uid " + std::to_string(about.st_uid) + " and gid " +
                          std::to_string(about.st_gid) + ".");
}

}  // namespace

bool look_at_engine(Report& report, engine::Engine& engine) {
  const auto info = engine.info();
  if (!info) {
    report.problem("engine", info.failure());
    return false;
  }
  report.ok("engine", info->name + " " + info->version + " answers, with " + std::to_string(info->cpus) +
                          " cores and " + text::size(info->memory) + (info->rootless ? ", rootless." : "."));
  look_at_socket(report, info->endpoint);
  if (info->cgroups.empty()) {
    report.warn("cgroups",
                "The engine does not say which cgroups it uses, so limits may not hold: update it.");
  } else if (info->rootless && info->cgroups == "v1") {
    report.problem("cgroups",
                   "A rootless engine cannot limit sandboxes with cgroups v1: use a rootful engine, or "
                   "boot with cgroups v2.");
  } else {
    report.ok("cgroups", "The engine uses cgroups " + info->cgroups + ".");
  }
  return true;
}

}  // namespace codebox::app::doctor
