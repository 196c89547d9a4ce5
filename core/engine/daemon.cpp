#include "engine/daemon.hpp"

#include <optional>

#include "base/text.hpp"
#include "engine/endpoint.hpp"

namespace codebox::engine {

Result<std::shared_ptr<const Daemon>> Finder::find() {
  const std::lock_guard lock(mutex_);
  if (found_) return found_;
  const auto paths = endpoint::candidates(endpoint_, backend_);
  if (!paths) return paths.failure();
  std::optional<Failure> refused;
  for (const auto& path : *paths) {
    const Api api(path);
    auto dialect = recognise(api);
    if (dialect) {
      found_ = std::make_shared<const Daemon>(Daemon{api, std::move(*dialect)});
      return found_;
    }
    // A socket that is there but refuses us says more than one that is not.
    if (!refused && (paths->size() == 1 || endpoint::exists(path))) refused = dialect.failure();
  }
  if (refused) return *refused;
  return Failure{Reason::offline,
                 "No container engine answers; tried " + text::join(*paths, ", ") +
                     ". Start Docker or Podman, or set CONTAINER_HOST to the engine's socket."};
}

void Finder::forget() {
  const std::lock_guard lock(mutex_);
  found_.reset();
}

}  // namespace codebox::engine
