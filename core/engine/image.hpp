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

/// Reason::not_found when the engine does not have it.
Result<Image> inspect_image(const Daemon& daemon, const std::string& reference);

}  // namespace codebox::engine
