#pragma once
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "engine/daemon.hpp"

namespace codebox::engine {

/// Pulls an image and says how it goes, at most twice a second, on the calling thread. `login` is what the
/// registry wants, as registry_login() gives it.
Result<void> pull(const Daemon& daemon, const std::string& reference, const std::string& login,
                  const std::function<void(std::string)>& progress, const std::stop_token& stop);

/// Why a pull failed, from the engine's words: not found, denied, too many requests, unreachable, or those
/// words.
Failure pull_failure(const std::string& reference, std::string_view words);

}  // namespace codebox::engine
