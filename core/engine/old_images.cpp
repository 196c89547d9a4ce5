#include "engine/old_images.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "base/log.hpp"
#include "engine/image_labels.hpp"
#include "engine/owner.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

constexpr std::int64_t hour = 3600;
constexpr std::int64_t day = 24 * hour;
/// Of images that another instance made: it may be alive and not have asked for them since.
constexpr std::int64_t abandoned_after = 7 * day;
/// Of our own that a living base needs no more, and of those that can be asked for again.
constexpr std::int64_t replaced_after = hour;
constexpr std::int64_t idle_after = day;

/// The names without the registry that Podman puts before them.
std::vector<std::string> names_of(const json& image) {
  std::vector<std::string> names;
  const json tags = image.value("RepoTags", json());
  if (!tags.is_array()) return names;
  for (const auto& tag : tags) {
    auto name = tag.is_string() ? tag.get<std::string>() : std::string();
    for (const std::string_view registry : {"localhost/", "docker.io/"})
      if (name.starts_with(registry)) name.erase(0, registry.size());
    if (!name.empty() && name != "<none>:<none>") names.push_back(std::move(name));
  }
  return names;
}

std::string full_id(std::string id) {
  return id.starts_with("sha256:") ? id : "sha256:" + id;
}

/// The bases that a reference can still mean.
std::set<std::string> named(const json& images) {
  std::set<std::string> ids;
  for (const auto& image : images) {
    const json digests = image.value("RepoDigests", json());
    const bool digest = digests.is_array() && !digests.empty();
    if (digest || !names_of(image).empty()) ids.insert(full_id(image.at("Id").get<std::string>()));
  }
  return ids;
}

bool made_here(const std::vector<std::string>& names, const std::string& repository) {
  return std::all_of(names.begin(), names.end(),
                     [&](const auto& name) { return name.starts_with(repository + ":"); });
}

}  // namespace

OldImages::OldImages(std::string instance, std::int64_t now)
    : owner_(owner_of(instance)), beside_(owner_ != instance), started_(now) {}

void OldImages::used(const std::string& reference, std::int64_t now) {
  const std::lock_guard lock(mutex_);
  used_[reference] = now;
}

std::vector<std::string> OldImages::needless(const json& images, const std::string& digest,
                                             std::int64_t now) const {
  std::vector<std::string> out;
  if (beside_ || !images.is_array()) return out;
  const auto bases = named(images);
  const std::lock_guard lock(mutex_);
  for (const auto& image : images) {
    const json labels = image.value("Labels", json());
    if (!labels.is_object() || !labels.contains(prepared_base_label)) continue;
    const auto names = names_of(image);
    const auto created = image.at("Created").get<std::int64_t>();
    const auto abandoned = [&] { return created + abandoned_after <= now; };
    bool old = false;
    if (labels.contains(layer_key_label)) {
      old =
          made_here(names, layer_repository) && labels.value(layer_owner_label, "") != owner_ && abandoned();
    } else if (names.empty()) {
      // Two servers made the same at the same time, and one of the two has the name now.
      old = created + hour <= now;
    } else if (made_here(names, prepared_repository)) {
      const auto use = used_.find(names.front());
      const auto last = use == used_.end() ? 0 : use->second;
      if (labels.value(prepared_owner_label, "") != owner_) {
        old = abandoned() && last + idle_after <= now;
      } else if (labels.value(prepared_with_label, "") != digest ||
                 !bases.contains(labels.value(prepared_base_label, ""))) {
        old = last + replaced_after <= now;
      } else {
        old = std::max(last, started_) + idle_after <= now;
      }
    }
    if (old) out.push_back(image.at("Id").get<std::string>());
  }
  return out;
}

void OldImages::remove(const Daemon& daemon, const std::string& digest) const {
  if (beside_) return;
  const auto answer = daemon.call("GET", "/images/json");
  if (!answer || !answer->ok()) return;
  std::size_t removed = 0;
  try {
    for (const auto& id : needless(json::parse(answer->body), digest, std::time(nullptr))) {
      // What it was made from is the operator's, with a name or without.
      const auto gone = daemon.call("DELETE", "/images/" + id + "?noprune=1");
      if (gone && gone->ok()) ++removed;
    }
  } catch (const json::exception&) {
    log::warn("The container engine's list of images cannot be read; old prepared images are not removed.");
  }
  if (removed > 0) log::info("Removed " + std::to_string(removed) + " prepared images that nobody needs.");
}

}  // namespace codebox::engine
