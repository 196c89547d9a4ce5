#include "engine/layers.hpp"

#include <sys/stat.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/digest.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "engine/body.hpp"
#include "engine/check.hpp"
#include "engine/filters.hpp"
#include "engine/image.hpp"
#include "engine/image_labels.hpp"
#include "engine/owner.hpp"
#include "engine/tar.hpp"
#include "engine/workpiece.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

/// What fits into one answer to the server.
constexpr std::size_t most_listed = 400;
constexpr std::uint64_t largest = 64ULL << 30;

template <class Number>
std::optional<Number> number(const json& labels, const char* name) {
  const auto text = labels.value(name, "");
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::optional<Layer> layer_of(const json& image) {
  if (!image.is_object() || !image.contains("Labels") || !image["Labels"].is_object()) return {};
  const json& labels = image["Labels"];
  const auto created = number<std::int64_t>(labels, layer_created_label);
  const auto size = number<std::uint64_t>(labels, layer_size_label);
  Layer layer{labels.value(layer_key_label, ""), created.value_or(0), size.value_or(0)};
  if (!created || !size || !check_layer(layer.key)) return {};
  return layer;
}

}  // namespace

Layers::Layers(const std::string& instance, Preparer& preparer)
    : owner_(owner_of(instance)), preparer_(preparer) {}

// Servers that share an engine may have the same set, and each removes its own only.
std::string Layers::tag_of(const std::string& key) const {
  return sha256(owner_).substr(0, 12) + "-" + key;
}

std::string Layers::reference_of(const std::string& key) const {
  return std::string(layer_repository) + ":" + tag_of(key);
}

Result<std::vector<Layer>> Layers::list(const Daemon& daemon) const {
  const auto all = images(daemon);
  if (!all) return all.failure();
  std::vector<Layer> out;
  for (const auto& [id, layer] : *all)
    if (out.size() < most_listed) out.push_back(layer);
  return out;
}

Result<std::map<std::string, Layer>> Layers::images(const Daemon& daemon) const {
  const std::string label = std::string(layer_owner_label) + "=" + owner_;
  const auto answer = daemon.call("GET", "/images/json?filters=" + filters({{"label", label}}));
  if (!answer) return answer.failure();
  if (!answer->ok()) return refusal("list package layers", *answer);
  std::map<std::string, Layer> all;
  const auto list = json::parse(answer->body, nullptr, false);
  if (!list.is_array()) return all;
  try {
    for (const auto& image : list) {
      auto layer = layer_of(image);
      if (layer) all[image.at("Id").get<std::string>()] = std::move(*layer);
    }
  } catch (const json::exception&) {
    return Failure{Reason::engine,
                   "The container engine's list of images cannot be read; update the engine."};
  }
  return all;
}

Result<void> Layers::make(const Daemon& daemon, const std::string& image, const Layer& layer,
                          const Fd& archive) {
  if (auto fine = check_image(image); !fine) return fine;
  if (auto fine = check_layer(layer.key); !fine) return fine;
  const auto base = inspect_image(daemon, image);
  if (!base) return base.failure();
  const auto prepared = preparer_.prepared(daemon, *base);
  if (!prepared) return prepared.failure();
  const auto work = preparer_.busy();
  const std::map<std::string, std::string> labels = {{layer_owner_label, owner_},
                                                     {layer_key_label, layer.key},
                                                     {layer_prepared_label, *prepared},
                                                     {layer_created_label, std::to_string(layer.created)},
                                                     {layer_size_label, std::to_string(layer.size)}};
  // The container is the sweep's where we fail, but not the image, which outlives this launcher.
  auto on_container = labels;
  on_container[instance_label] = owner_;
  const auto workpiece = make_workpiece(daemon, *prepared, on_container);
  if (!workpiece) return workpiece.failure();
  const std::string& id = (*workpiece)->id();
  if (auto filled = fill(daemon, id, archive); !filled) return filled;
  const json config = {{"Labels", labels}};
  const auto committed = daemon.call(
      "POST",
      "/commit?container=" + id + "&repo=" + layer_repository + "&tag=" + tag_of(layer.key) + "&pause=0",
      config.dump());
  if (!committed) return committed.failure();
  if (!committed->ok()) return refusal("commit a package layer", *committed);
  return {};
}

Result<void> Layers::fill(const Daemon& daemon, const std::string& container, const Fd& archive) const {
  struct stat status {};
  if (!archive || ::fstat(archive.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return Failure{Reason::invalid, "A package layer came without its archive."};
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > largest)
    return Failure{Reason::too_large, "A package layer of " + text::size(size) + " is too large."};
  const std::string target = "/containers/" + container + "/archive?path=/";
  const auto folder = daemon.call("PUT", target, tar({{"packages", "", 0755, true}}), "application/x-tar");
  if (!folder) return folder.failure();
  if (!folder->ok()) return refusal("make the folder of a package layer", *folder);
  // The engine keeps what it unpacks below this folder, so that the archive cannot change the agent.
  const auto filled = daemon.api.upload(daemon.dialect.prefix + target + "packages", archive.get(), size);
  if (!filled) return filled.failure();
  if (!filled->ok()) return refusal("fill a package layer", *filled);
  return {};
}

Result<void> Layers::remove(const Daemon& daemon, const std::string& key) const {
  if (auto fine = check_layer(key); !fine) return fine;
  const auto all = images(daemon);
  if (!all) return all.failure();
  for (const auto& [id, layer] : *all) {
    if (layer.key != key) continue;
    // First its name, so that nothing is started from it any more even where a sandbox still has it.
    const auto unnamed = daemon.call("DELETE", "/images/" + reference_of(key) + "?force=1");
    if (!unnamed) return unnamed.failure();
    if (!unnamed->ok() && unnamed->status != 404) return refusal("remove a package layer", *unnamed);
    const auto answer = daemon.call("DELETE", "/images/" + id);
    if (!answer) return answer.failure();
    if (!answer->ok() && answer->status != 404 && answer->status != 409)
      return refusal("remove a package layer", *answer);
  }
  return {};
}

Result<std::string> Layers::image(const Daemon& daemon, const std::string& key,
                                  const std::string& prepared) const {
  const auto there = inspect_image(daemon, reference_of(key));
  if (!there) return there.failure();
  const auto has = [&](const char* label, const std::string& value) {
    const auto found = there->labels.find(label);
    return found != there->labels.end() && found->second == value;
  };
  if (has(layer_owner_label, owner_) && has(layer_key_label, key) && has(layer_prepared_label, prepared))
    return reference_of(key);
  return Failure{Reason::not_found, "The package layer " + key + " is none of this instance on this image."};
}

}  // namespace codebox::engine
