#include "run/install_advice.hpp"

#include <algorithm>

namespace codebox::run {
namespace {

bool says(const std::string& output, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return output.find(word) != std::string::npos; });
}

}  // namespace

std::string install_advice(const std::string& output, const plugin::LanguageSpec& language) {
  if (says(output, {"No space left on device", "ENOSPC"})) {
    return "The packages do not fit into SANDBOX_MAX_INSTALL.";
  }
  if (says(output,
           {"Failed to establish a new connection", "Temporary failure in name resolution", "timed out",
            "Tunnel connection failed", "CONNECT tunnel failed", "The network of this sandbox does not reach",
            "ProxyError", "Connection refused", "Network is unreachable"})) {
    return "The package index cannot be reached (offline, or not allowed here): use what list_" +
           language.id + "_packages shows.";
  }
  if (says(output, {"Failed to build gem native extension"})) {
    return "Its part in C cannot be built here, often because a library's headers are missing: choose another "
           "package or version.";
  }
  if (says(output, {"error: command 'gcc'", "Failed building wheel", "Failed to build",
                    "No such file or directory: 'gcc'"})) {
    return "It has no ready-made build for this image and the image has no compiler: choose another package "
           "or version.";
  }
  if (says(output, {"No matching distribution found", "Could not find a version",
                    "Unable to resolve dependency", "Could not find a matching version"})) {
    return "There is no such package or version in the index: check the spelling.";
  }
  return {};
}

}  // namespace codebox::run
