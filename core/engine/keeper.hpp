#pragma once
#include <sys/types.h>

#include <string>

#include "base/fd.hpp"
#include "base/result.hpp"
#include "engine/spawn.hpp"

/// Root's part of a server that runs as another user: a process that starts launchers and does nothing else.
/// All launchers get the configuration of the first, which was asked for before any client could connect.
namespace codebox::engine {

/// Splits this process in two. Returns in the child, which is `user` for good, with its line to the keeper;
/// the parent passes SIGINT and SIGTERM on and ends as the child does. To be called while there is one
/// thread, with the ending signals blocked.
Result<Fd> split_from_root(uid_t user, gid_t group, const std::string& program);

/// Has the keeper start a launcher. One thread at a time.
Result<Spawned> spawn_by_keeper(int keeper, const std::string& config);

}  // namespace codebox::engine
