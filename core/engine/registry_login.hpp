#pragma once
#include <string>

#include "base/result.hpp"

namespace codebox::engine {

/// The login to a registry as an engine takes it in X-Registry-Auth, or nothing where none is known. From
/// `file` (SANDBOX_REGISTRY_AUTH), or, where that is empty, from where `docker login` and `podman login` keep
/// theirs. Never to be logged. Reads files; any thread.
Result<std::string> registry_login(const std::string& file, const std::string& registry);

}  // namespace codebox::engine
