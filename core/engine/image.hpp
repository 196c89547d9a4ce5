#pragma once
#include <map>
#include <string>
#include <vector>

#include "engine/daemon.hpp"

namespace codebox::engine {

/// An image as the engine describes it, with what the launcher itself must know. Plain value.
struct Image {
  ImageInfo info;
  std::vector<std::string> volumes;  ///< folders that it declares as volumes
  std::map<std::string, std::string> labels;
};

inline constexpr const char* docker_hub = "docker.io";
/// The registry that a reference names, or Docker Hub's.
std::string registry_of(const std::string& reference);

/// An image for another architecture is one sentence here, instead of an agent that cannot be run.
Result<void> check_architecture(const Daemon& daemon, const Image& image, const std::string& reference);

/// Reason::not_found when the engine does not have it.
Result<Image> inspect_image(const Daemon& daemon, const std::string& reference);

}  // namespace codebox::engine
