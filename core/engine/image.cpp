#include "engine/image.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

constexpr std::size_t max_env = 24 * 1024;
constexpr std::size_t max_packages = 600;

Result<Image> parse(const std::string& reference, const json& answer) {
  Image image;
  image.info.id = answer.at("Id").get<std::string>();
  // Podman gives the bare digest.
  if (!image.info.id.starts_with("sha256:")) image.info.id.insert(0, "sha256:");
  image.info.architecture = answer.value("Architecture", "");
  const json config = answer.value("Config", json());
  if (!config.is_object()) return image;
  std::size_t bytes = 0;
  if (const auto env = config.find("Env"); env != config.end() && env->is_array())
    for (const auto& entry : *env) {
      image.info.env.push_back(entry.get<std::string>());
      bytes += image.info.env.back().size();
    }
  if (bytes > max_env)
    return Failure{Reason::image, "The image " + text::quoted(reference) + " has an environment of " +
                                      text::size(bytes) + ", at most " + text::size(max_env) +
                                      " are possible; build it with less."};
  if (const auto volumes = config.find("Volumes"); volumes != config.end() && volumes->is_object())
    for (const auto& entry : volumes->items()) image.volumes.push_back(entry.key());
  if (const auto labels = config.find("Labels"); labels != config.end() && labels->is_object())
    for (const auto& entry : labels->items())
      if (entry.value().is_string()) image.labels[entry.key()] = entry.value().get<std::string>();
  if (const auto packages = image.labels.find("codebox.packages"); packages != image.labels.end())
    image.info.packages = text::prefix(text::one_line(packages->second), max_packages);
  return image;
}

bool has_no_registry(const std::string& reference) {
  return !reference.starts_with("sha256:") && registry_of(reference) == docker_hub;
}

}  // namespace

std::string registry_of(const std::string& reference) {
  const auto slash = reference.find('/');
  const std::string first = reference.substr(0, slash);
  const bool host =
      slash != std::string::npos && (first.find_first_of(".:") != std::string::npos || first == "localhost");
  return host ? first : docker_hub;
}

Result<void> check_architecture(const Daemon& daemon, const Image& image, const std::string& reference) {
  const std::string& engine = daemon.dialect.architecture;
  const std::string built = common_name(image.info.architecture);
  if (built.empty() || engine.empty() || built == engine) return {};
  return Failure{Reason::image, "The image " + text::quoted(reference) + " is built for " + built +
                                    ", and this container engine runs " + engine + "; pull or build it for " +
                                    engine + "."};
}

Result<Image> inspect_image(const Daemon& daemon, const std::string& reference) {
  auto answer = daemon.call("GET", "/images/" + reference + "/json");
  if (answer && answer->status == 404 && daemon.dialect.podman() && has_no_registry(reference))
    // Podman keeps what was built or loaded here under this name, and means Docker Hub by the plain one.
    answer = daemon.call("GET", "/images/localhost/" + reference + "/json");
  if (!answer) return answer.failure();
  if (answer->status == 404)
    return Failure{Reason::not_found, "The image " + text::quoted(reference) +
                                          " is not on the container engine; "
                                          "pull or build it, or configure another one."};
  if (!answer->ok()) return refusal("describe the image " + text::quoted(reference), *answer);
  try {
    return parse(reference, json::parse(answer->body));
  } catch (const json::exception&) {
    return Failure{Reason::engine, "The container engine describes the image " + text::quoted(reference) +
                                       " in an unknown form; update the engine."};
  }
}

}  // namespace codebox::engine
