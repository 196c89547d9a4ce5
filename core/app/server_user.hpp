#pragma once
#include <sys/types.h>

#include <string>

#include "app/settings.hpp"
#include "base/fd.hpp"
#include "base/result.hpp"

namespace codebox::app {

/// A user of this system. Plain value.
struct UserIds {
  uid_t user;
  gid_t group;
};

/// The ids of a user of this system who is not root.
Result<UserIds> server_user_ids(const std::string& name);

/// Makes this process SERVER_USER where it is set and we are root, after giving STATE_DIR to that user.
/// Returns the line to the root process that starts launchers, or no descriptor where there is none. Called
/// once, before any thread.
Result<Fd> become_server_user(const Settings& settings);

}  // namespace codebox::app
