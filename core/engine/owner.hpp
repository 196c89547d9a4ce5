#pragma once
#include <string>

namespace codebox::engine {

/// The instance whose images a launcher deals with: a command beside the server has the server's name with an
/// addition of its own, after a dot. Pure; any thread.
inline std::string owner_of(const std::string& instance) {
  return instance.substr(0, instance.find('.'));
}

}  // namespace codebox::engine
