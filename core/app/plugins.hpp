#pragma once
#include <memory>

#include "app/settings.hpp"
#include "plugin/language.hpp"
#include "plugin/signature.hpp"

namespace codebox::app {

/// The keys of PLUGIN_TRUSTED_KEYS; none where it is empty.
Result<plugin::TrustedKeys> trusted_keys(const Settings& settings);

/// Loads the plugins of PLUGIN_DIR, logs what was refused, keeps what SANDBOX_LANGUAGES names. A name that no
/// plugin provides is a failure.
Result<std::shared_ptr<const plugin::Registry>> load_plugins(const Settings& settings);

/// A sentence for each setting of one language (SANDBOX_IMAGE_<ID>...) that is none of `languages` (ids).
std::vector<std::string> idle_settings(const Settings& settings, const std::vector<std::string>& languages);

/// As above, on top of what a running server has: logs what joined, changed, left or was refused since, and
/// only warns of a name that no plugin provides now. With `everything`, unchanged files are loaded anew, too.
/// Null where nothing is different.
Result<std::shared_ptr<const plugin::Registry>> reload_plugins(const Settings& settings,
                                                               const plugin::Registry& before,
                                                               bool everything);

}  // namespace codebox::app
