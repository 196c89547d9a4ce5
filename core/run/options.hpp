#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "egress/gate.hpp"
#include "egress/meter.hpp"
#include "engine/engine.hpp"

namespace codebox::run {

/// When a sandbox reaches a network (SANDBOX_NETWORK).
enum class Network {
  none,       ///< never
  install,    ///< while packages install
  allowlist,  ///< SANDBOX_ALLOWED_HOSTS, also while the program runs
  full,       ///< whatever the host reaches, over a bridge of the instance's own
};

/// When images are pulled (SANDBOX_PULL).
enum class Pull { missing, never, always };

/// Package sets that are kept as layers of images. Plain value.
struct LayerOptions {
  bool on = true;                    ///< SANDBOX_PACKAGE_LAYERS
  std::chrono::seconds ttl{86'400};  ///< SANDBOX_LAYERS_TTL: since it was made
  std::uint64_t size = 5ULL << 30;   ///< SANDBOX_LAYERS_SIZE: bytes of all together
  std::size_t builds_per_hour = 20;  ///< SANDBOX_LAYERS_PER_USER: new ones
};

/// What the operator decided about calls. Plain values, immutable once the server runs.
struct Options {
  engine::Limits limits;
  std::string runtime;
  std::chrono::milliseconds exec_timeout{60'000};  ///< of the whole call
  std::uint64_t max_file = 52'428'800;             ///< bytes of one file, each way
  std::uint64_t max_output = 64 * 1024;            ///< bytes of each output stream that are shown
  std::size_t max_files = 32;                      ///< files that come back
  std::size_t inline_images = 4;                   ///< pictures that stand in a result itself
  std::uint64_t inline_bytes = 4ULL << 20;         ///< of all of them together
  bool embeds = true;                              ///< pages that a program wrote stand in the chat
  std::vector<std::string> embed_hosts;            ///< from which such a page may load
  Network network = Network::install;
  std::map<std::string, Network> networks;  ///< language id -> its own mode
  egress::Allowance allowance;              ///< of one call
  egress::Rules rules;
  Pull pull = Pull::missing;
  bool authorities = false;  ///< the image trusts SANDBOX_CA_BUNDLE, at authorities_file
  LayerOptions layers;
  std::map<std::string, std::string> images;            ///< language id -> image reference
  std::map<std::string, std::vector<std::string>> env;  ///< language id -> "NAME=value" for its steps
};

inline Network network_of(const Options& options, const std::string& language) {
  const auto own = options.networks.find(language);
  return own == options.networks.end() ? options.network : own->second;
}

/// Where the launcher puts SANDBOX_CA_BUNDLE in a prepared image.
inline constexpr const char* authorities_file = "/etc/ssl/certs/codebox-ca.pem";

}  // namespace codebox::run
