#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "auth/bearer.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "http/server.hpp"
#include "proof/proven_sandboxes.hpp"
#include "quota/quota.hpp"
#include "run/options.hpp"

namespace codebox::app {

/// Everything an operator may decide, with the defaults that .env.example documents. Plain values, read once
/// at start.
struct Settings {
  auth::Options auth;
  quota::Options quota;
  http::Options http;
  run::Options run;

  std::vector<std::string> doubts;  ///< sentences on what the operator can hardly have meant
  /// Those of one language that are set, with its id: SANDBOX_IMAGE_LUA -> lua. Which ids there are, only the
  /// plugins tell.
  std::map<std::string, std::string> of_languages;

  std::string owui_base_url;    ///< OWUI_BASE_URL; empty: no Open WebUI, files are kept here
  bool owui_verify_tls = true;  ///< OWUI_VERIFY_TLS
  std::string owui_ca_bundle;   ///< OWUI_CA_BUNDLE: PEM file; empty: the system's authorities
  std::string owui_public_url;  ///< OWUI_PUBLIC_URL; empty: links relative to Open WebUI's page
  bool owui_check_user = true;  ///< OWUI_CHECK_USER: Open WebUI is asked whether an account is active
  bool owui_status = true;      ///< OWUI_STATUS: the chat says what a call is doing

  std::size_t pool_size = 2;                      ///< SANDBOX_POOL_SIZE
  std::map<std::string, std::size_t> pool_sizes;  ///< SANDBOX_POOL_SIZE_<ID>: by language id

  std::uint64_t pool_memory = 1ULL << 30;  ///< SANDBOX_POOL_MEMORY: bytes of all that wait

  std::string container_backend = "auto";  ///< CONTAINER_BACKEND: auto, docker or podman
  std::string container_host;              ///< CONTAINER_HOST; empty: the usual places
  /// SANDBOX_MAX_TOTAL_MEMORY: bytes of all sandboxes; 0 for nine tenths of the host's.
  std::uint64_t max_total_memory = 0;
  proof::Demand proof = proof::Demand::require;  ///< SANDBOX_PROOF
  std::string container_tls_ca;                  ///< PEM files for CONTAINER_HOST=tcp://...
  std::string container_tls_cert;
  std::string container_tls_key;
  std::string registry_auth;           ///< SANDBOX_REGISTRY_AUTH: a file of logins to registries
  std::string ca_bundle;               ///< SANDBOX_CA_BUNDLE: PEM file that sandboxes trust
  std::vector<std::string> languages;  ///< SANDBOX_LANGUAGES: empty for all

  /// PORT, or once it listens the port that it got; shared with the rules of sandboxes' networks.
  std::shared_ptr<std::atomic<std::uint16_t>> own_port = std::make_shared<std::atomic<std::uint16_t>>();
  std::vector<std::string> allowed_origins;  ///< ALLOWED_ORIGINS; "*" for every one
  std::string public_url;            ///< PUBLIC_URL: how browsers reach this server, for links to kept files
  std::filesystem::path state_dir;   ///< STATE_DIR
  std::string server_user;           ///< SERVER_USER: empty to stay who we are
  std::filesystem::path plugin_dir;  ///< PLUGIN_DIR
  std::vector<std::string> plugin_trusted_keys;  ///< PLUGIN_TRUSTED_KEYS: PEM files; empty: unsigned pass
  std::chrono::seconds files_ttl{3600};          ///< FILES_TTL
  log::Level log_level = log::Level::info;       ///< LOG_LEVEL
  log::Format log_format = log::Format::text;    ///< LOG_FORMAT
};

/// Name and value, as they stand in the environment or in a .env file.
using Variables = std::map<std::string, std::string>;

/// The settings from `environment`, over those of `dotenv`. A malformed value in either, and an unknown name
/// in `dotenv`, is Reason::invalid with one sentence that names it. An unknown name in `environment` may be
/// another program's; one that looks like ours is a doubt. An empty value counts as absent.
Result<Settings> read_settings(const Variables& environment, const Variables& dotenv);

/// The variables of a .env file: NAME=value lines, # comments, an optional `export`, single or double quotes.
Result<Variables> parse_dotenv(const std::string& content);

/// This process's environment.
Variables process_environment();

/// Settings from the environment and ./.env, if there is one.
Result<Settings> load_settings();

/// The names of all settings; <ID> stands for a language.
std::vector<std::string> setting_names();

}  // namespace codebox::app
