#include "engine/check.hpp"

#include <algorithm>
#include <string_view>

#include "base/text.hpp"

namespace codebox::engine {
namespace {

constexpr std::uint64_t mebibyte = 1ULL << 20;
constexpr std::uint64_t tebibyte = 1ULL << 40;
constexpr std::size_t max_volumes = 8;

constexpr std::string_view lower_case = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view digits = "0123456789";

bool made_of(std::string_view text, std::string_view letters_allowed, std::string_view others) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return letters_allowed.find(c) != std::string_view::npos || digits.find(c) != std::string_view::npos ||
           others.find(c) != std::string_view::npos;
  });
}

Failure refused(const std::string& what) {
  return {Reason::invalid, what};
}

Result<void> check_size(const char* name, std::uint64_t value, std::uint64_t least) {
  if (value >= least && value <= tebibyte) return {};
  return refused("A sandbox's " + std::string(name) + " of " + text::size(value) + " is out of range; give " +
                 text::size(least) + " to " + text::size(tebibyte) + ".");
}

Result<void> check_limits(const Limits& limits) {
  if (auto fits = check_size("memory", limits.memory, 16 * mebibyte); !fits) return fits;
  if (auto fits = check_size("disk", limits.disk, 8 * mebibyte); !fits) return fits;
  if (auto fits = check_size("install allowance", limits.install, mebibyte); !fits) return fits;
  // Written so that a value that is not a number is refused as well.
  if (!(limits.cpus >= 0.01 && limits.cpus <= 1024))
    return refused("A sandbox's share of " + std::to_string(limits.cpus) +
                   " cores is out of range; give 0.01 to 1024.");
  if (limits.pids < 8 || limits.pids > 1'000'000)
    return refused("A sandbox's limit of " + std::to_string(limits.pids) +
                   " processes is out of range; give 8 to 1000000.");
  return {};
}

}  // namespace

Result<void> check(const CreateSpec& spec, bool full_network) {
  if (auto fine = check_image(spec.image); !fine) return fine;
  const auto& id = spec.language;
  if (id.empty() || id.size() > 16 || lower_case.find(id[0]) == std::string_view::npos ||
      !made_of(id, lower_case, "_"))
    return refused("The language " + text::quoted(id) + " is not a plugin's id.");
  const auto& runtime = spec.runtime;
  if (runtime.size() > 64 || runtime.starts_with('-') || runtime.starts_with('.') ||
      !made_of(runtime, letters, "._-"))
    return refused("SANDBOX_RUNTIME=" + text::quoted(runtime) + " is not the name of a runtime.");
  if (!spec.layer.empty())
    if (auto fine = check_layer(spec.layer); !fine) return fine;
  if (!spec.network.empty() && spec.network != "full")
    return refused("The network " + text::quoted(spec.network) +
                   " is not one that a sandbox can have; give full.");
  if (!spec.network.empty() && !full_network)
    return refused("No language here has SANDBOX_NETWORK=full, so no sandbox gets a network.");
  return check_limits(spec.limits);
}

Result<void> check_layer(const std::string& key) {
  if (key.size() == 64 && made_of(key, "abcdef", "")) return {};
  return refused(text::quoted(key) + " is not the key of a package layer.");
}

Result<void> check_image(const std::string& reference) {
  const bool fine = !reference.empty() && reference.size() <= 255 &&
                    made_of(reference.substr(0, 1), letters, "") && made_of(reference, letters, "._-/:@") &&
                    reference.find("..") == std::string::npos && reference.find("//") == std::string::npos;
  if (fine) return {};
  return refused(text::quoted(reference) +
                 " is not an image reference; write it as name:tag or name@digest.");
}

Result<void> check_memory(std::uint64_t bytes) {
  return check_size("memory limit", bytes, 16 * mebibyte);
}

Result<void> check_container(const std::string& id) {
  if (id.size() >= 12 && id.size() <= 64 && made_of(id, "abcdef", "")) return {};
  return refused(text::quoted(id) + " is not the id of a sandbox.");
}

Result<void> check_volumes(const std::vector<std::string>& volumes) {
  if (volumes.size() > max_volumes)
    return Failure{Reason::image, "The image declares " + std::to_string(volumes.size()) +
                                      " volumes, at most " + std::to_string(max_volumes) +
                                      " are possible; build it with fewer."};
  for (const auto& volume : volumes) {
    const bool fine = volume.size() > 1 && volume.size() <= 255 && volume.starts_with('/') &&
                      made_of(volume, letters, "._-/") && volume.find("..") == std::string::npos &&
                      !volume.starts_with("/.codebox");
    if (!fine)
      return Failure{Reason::image, "The image declares the volume " + text::quoted(volume) +
                                        ", which cannot be covered; build it without."};
  }
  return {};
}

}  // namespace codebox::engine
