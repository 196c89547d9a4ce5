#pragma once
#include "app/settings.hpp"
#include "base/fd.hpp"
#include "base/result.hpp"

namespace codebox::app {

/// Makes this process SERVER_USER where it is set and we are root, after giving STATE_DIR to that user. Returns the line
/// to the root process that starts launchers, or no descriptor where there is none. Called once, before any thread.
Result<Fd> become_server_user(const Settings& settings);

}  // namespace codebox::app
