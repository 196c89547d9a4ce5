#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/settings.hpp"
#include "plugin/language.hpp"
#include "plugin/signature.hpp"

/// The plugins that the settings mean. Each function blocks while children load them; any thread.
namespace codebox::app {

/// The keys of PLUGIN_TRUSTED_KEYS; none where it is empty.
Result<plugin::TrustedKeys> trusted_keys(const Settings& settings);

/// What to say of a name in SANDBOX_LANGUAGES that no plugin provides.
std::string unprovided(const Settings& settings, const std::string& id);

/// A sentence for each setting of one language (SANDBOX_IMAGE_<ID> and so on) that does nothing, since no
/// plugin of `registry` has that id, whether SANDBOX_LANGUAGES names it or not.
std::vector<std::string> language_doubts(const Settings& settings, const plugin::Registry& registry);

/// Loads the plugins of PLUGIN_DIR, logs what was refused, keeps what SANDBOX_LANGUAGES names. A name that no
/// plugin provides is a failure.
Result<std::shared_ptr<const plugin::Registry>> load_plugins(const Settings& settings);

/// As above, on top of what a running server has: logs what joined, changed, left or was refused since, and
/// only warns of a name that no plugin provides now. With `everything`, unchanged files are loaded anew, too.
/// Null where nothing is different.
Result<std::shared_ptr<const plugin::Registry>> reload_plugins(const Settings& settings,
                                                               const plugin::Registry& before,
                                                               bool everything);

}  // namespace codebox::app
