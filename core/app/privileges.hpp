#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>

#include "base/result.hpp"

namespace codebox::app {

/// Who the server becomes once it listens (SERVER_USER), so that only its launcher keeps root and the engine's
/// socket. A plain value.
struct ServerUser {
  uid_t uid = 0;
  gid_t gid = 0;
};

/// A name or a number; Reason::invalid where there is no such account or it is root's.
Result<ServerUser> find_user(const std::string& name);

/// For the whole life of this process: no core file, which could hold secrets, also none that the system pipes
/// to a program; with `dropping`, no program that it starts gains anything either. Before any thread starts.
void harden_process(bool dropping);

/// Gives `state_dir` to the user and becomes it for good, in every thread.
Result<void> become(const ServerUser& user, const std::filesystem::path& state_dir);

}  // namespace codebox::app
