#pragma once
#include <string>
#include <vector>

#include "app/settings.hpp"

/// What the settings together mean for the network of sandboxes. Pure functions.
namespace codebox::app {

/// Whether any language may have this mode.
bool uses(const Settings& settings, run::Network mode);

/// Notes where this server, Open WebUI, the engine and the proxy are, which stay out of every tunnel's reach.
void keep_apart(Settings& settings);

/// What the log says at start about these languages (ids): one sentence for all that have the mode `full`.
std::vector<std::string> network_warnings(const Settings& settings,
                                          const std::vector<std::string>& languages);

}  // namespace codebox::app
