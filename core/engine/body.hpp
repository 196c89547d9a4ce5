#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/dialect.hpp"
#include "engine/engine.hpp"

/// The one place that says how a sandbox is confined. Pure functions.
namespace codebox::engine {

inline constexpr const char* agent_path = "/.codebox/agent";
inline constexpr const char* ca_path = "/etc/ssl/certs/codebox-ca.pem";
inline constexpr const char* instance_label = "codebox.instance";
inline constexpr const char* language_label = "codebox.language";

/// How the disk allowance is divided. /dev/shm and the folders that an image declares as volumes are taken
/// off /tmp's quarter, so that all writable places but /packages together are exactly the allowance.
struct DiskShares {
  std::uint64_t work = 0;
  std::uint64_t temporary = 0;
  std::uint64_t shared_memory = 0;
  std::uint64_t volume = 0;  ///< of each declared volume
};
DiskShares divide(std::uint64_t disk, std::size_t volumes);

/// The body of the create request for a checked spec. `image` is the prepared image's id, `volumes` what its
/// base declares, `network` the id of the instance's bridge or empty for none.
nlohmann::json create_body(const CreateSpec& spec, const std::string& image,
                           const std::vector<std::string>& volumes, const std::string& instance,
                           const Dialect& dialect, const std::string& network = {});

/// The body of the request that makes the instance's bridge.
nlohmann::json bridge_body(const std::string& instance, const std::string& name);

/// "codebox-" and 16 random digits.
std::string random_name();

}  // namespace codebox::engine
