#include "engine/daemon.hpp"

#include <optional>

#include "base/text.hpp"
#include "engine/endpoint.hpp"

namespace codebox::engine {

Finder::Finder(std::string endpoint, std::string backend, const TlsFiles& tls, const std::string& podman_dir)
    : endpoint_(std::move(endpoint)),
      backend_(std::move(backend)),
      tls_(tls.any() ? std::make_shared<Tls>(tls) : nullptr),
      own_(podman_dir.empty() || !endpoint_.empty() || backend_ == "docker"
               ? nullptr
               : std::make_unique<OwnPodman>(podman_dir)) {}

Result<Daemon> Finder::meet(const std::string& address) const {
  const Api api(address, endpoint::host_of(address) ? tls_ : nullptr);
  auto dialect = recognise(api);
  if (!dialect) return dialect.failure();
  return Daemon{api, std::move(*dialect)};
}

Result<std::shared_ptr<const Daemon>> Finder::find() {
  const std::lock_guard lock(mutex_);
  if (found_) return found_;
  const auto paths = endpoint::candidates(endpoint_, backend_);
  if (!paths) return paths.failure();
  std::optional<Failure> refused;
  for (const auto& path : *paths) {
    auto daemon = meet(path);
    if (daemon) return found_ = std::make_shared<const Daemon>(std::move(*daemon));
    // A socket that is there but refuses us says more than one that is not.
    if (!refused && (paths->size() == 1 || endpoint::exists(path))) refused = daemon.failure();
  }
  std::string own;
  if (own_) {
    const auto path = own_->socket();
    auto daemon = path ? meet(*path) : path.failure();
    if (daemon) return found_ = std::make_shared<const Daemon>(std::move(*daemon));
    own = " " + own_->explain(daemon.failure().message);
  }
  if (refused) return Failure{refused->reason, refused->message + own};
  return Failure{Reason::offline,
                 "No container engine answers; tried " + text::join(*paths, ", ") +
                     ". Start Docker or Podman, or set CONTAINER_HOST to the engine's socket." + own};
}

void Finder::forget() {
  const std::lock_guard lock(mutex_);
  found_.reset();
}

}  // namespace codebox::engine
