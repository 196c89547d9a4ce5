#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/engine.hpp"

/// What the launcher lets through. It does not trust the server any further than these rules: a server that
/// was taken over can ask for sandboxes, and for nothing else. Pure functions.
namespace codebox::engine {

/// `full_network` says whether the operator gives any language SANDBOX_NETWORK=full.
Result<void> check(const CreateSpec& spec, bool full_network = false);
Result<void> check_image(const std::string& reference);
Result<void> check_layer(const std::string& key);
Result<void> check_memory(std::uint64_t bytes);
Result<void> check_container(const std::string& id);
/// Whether the folders that an image declares as volumes can be covered by small writable places.
Result<void> check_volumes(const std::vector<std::string>& volumes);

}  // namespace codebox::engine
