#pragma once
#include <memory>
#include <mutex>
#include <string>

#include "engine/api.hpp"
#include "engine/dialect.hpp"
#include "engine/own_podman.hpp"
#include "engine/tls.hpp"

namespace codebox::engine {

/// One container engine that answered: how to speak with it. Immutable; any thread.
struct Daemon {
  Api api;
  Dialect dialect;

  /// A call whose target is below the API version, for example "/containers/json".
  Result<Api::Answer> call(std::string_view method, const std::string& target, std::string_view body = {},
                           std::string_view type = "application/json") const {
    return api.call(method, dialect.prefix + target, body, type);
  }
};

/// Finds the engine that the settings mean and remembers it until forget(); where none answers and none was
/// named, it starts Podman's own service. Owned by the launcher; any thread.
class Finder {
 public:
  /// `podman_dir` is for a service of our own, empty for none.
  Finder(std::string endpoint, std::string backend, const TlsFiles& tls = {},
         const std::string& podman_dir = {});

  Result<std::shared_ptr<const Daemon>> find();
  /// Looks again next time: the engine stopped answering, perhaps another one or another version comes.
  void forget();

 private:
  Result<Daemon> meet(const std::string& address) const;

  const std::string endpoint_;
  const std::string backend_;
  const std::shared_ptr<Tls> tls_;
  const std::unique_ptr<OwnPodman> own_;
  std::mutex mutex_;  ///< also held while it looks: whoever comes meanwhile needs the same answer
  std::shared_ptr<const Daemon> found_;
};

}  // namespace codebox::engine
