#pragma once
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "plugin/language.hpp"
#include "run/options.hpp"

namespace codebox::run {

/// What a package layer is found by: a digest of everything that decides what an install gives. 64
/// hexadecimal digits. The launcher adds the agent and the certificates, which are in the image that a layer
/// stands on. Pure; any thread.
std::string layer_key(const plugin::LanguageSpec& language, const engine::ImageInfo& image,
                      const Options& options, const std::vector<std::string>& libraries);

}  // namespace codebox::run
