#include "app/setting_table.hpp"

#include <algorithm>

#include "app/setting_apply.hpp"
#include "base/text.hpp"
#include "engine/check.hpp"

namespace codebox::app {
namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = 1024 * kib;
constexpr std::uint64_t tib = mib * mib;  // the launcher lets no sandbox have more of anything
const char* const network_form = "one of none, install, allowlist, full";
const std::vector<std::string> network_words = {"none", "install", "allowlist", "full"};  // as run::Network
constexpr std::uint64_t most_waiting = 100;

std::vector<Setting> of_callers() {
  return {
      {"JWT_SECRET", "Open WebUI's WEBUI_SECRET_KEY", text_into([](Settings& s) { return &s.auth.secret; })},
      {"JWT_ALGORITHM", "one of HS256, HS384, HS512, RS256, ES256",
       text_into([](Settings& s) { return &s.auth.algorithm; })},
      {"JWT_LEEWAY", "seconds from 0 to 3600",
       whole_into(0, 3600, [](Settings& s, std::uint64_t n) { s.auth.leeway = std::chrono::seconds(n); })},
      {"RATE_LIMIT_RPS", "calls per second from 0 to 10000",
       number_into(0, 10'000, [](Settings& s, double n) { s.quota.per_second = n; })},
      {"RATE_LIMIT_BURST", "calls from 1 to 100000",
       number_into(1, 100'000, [](Settings& s, double n) { s.quota.burst = n; })},
      {"MAX_CONCURRENT_SANDBOXES", "a number from 1 to 10000",
       whole_into(1, 10'000, [](Settings& s, std::uint64_t n) { s.quota.concurrent = n; })},
      {"MAX_CONCURRENT_SANDBOXES_PER_USER", "a number from 1 to 10000",
       whole_into(1, 10'000, [](Settings& s, std::uint64_t n) { s.quota.per_user = n; })},
  };
}

std::vector<Setting> of_open_webui() {
  return {
      {"OWUI_BASE_URL", "a URL", text_into([](Settings& s) { return &s.owui_base_url; }), true},
      {"OWUI_VERIFY_TLS", "true or false",
       into(value::boolean, [](Settings& s) { return &s.owui_verify_tls; })},
      {"OWUI_CA_BUNDLE", "a PEM file", text_into([](Settings& s) { return &s.owui_ca_bundle; })},
      {"OWUI_PUBLIC_URL", "a URL such as https://chat.example.com",
       checked_into(value::is_url, [](Settings& s) { return &s.owui_public_url; }), true},
      {"OWUI_CHECK_USER", "true or false",
       into(value::boolean, [](Settings& s) { return &s.owui_check_user; })},
      {"OWUI_STATUS", "true or false", into(value::boolean, [](Settings& s) { return &s.owui_status; })},
      {"OWUI_EMBEDS", "true or false", into(value::boolean, [](Settings& s) { return &s.run.embeds; })},
      {"OWUI_EMBED_HOSTS", "hosts between commas, such as cdn.example.com or *.example.com",
       checked_list_into(value::is_host_pattern, [](Settings& s) { return &s.run.embed_hosts; })},
      {"OWUI_INLINE_IMAGES", "a number from 0 to 100",
       whole_into(0, 100, [](Settings& s, std::uint64_t n) { s.run.inline_images = n; })},
      {"OWUI_INLINE_BYTES", "a size of at least 1KB",
       bytes_into(kib, [](Settings& s) { return &s.run.inline_bytes; })},
  };
}

std::vector<Setting> of_server() {
  return {
      {"HOST", "an address to listen on", text_into([](Settings& s) { return &s.http.host; })},
      {"PORT", "a port from 0 to 65535",
       whole_into(0, 65535,
                  [](Settings& s, std::uint64_t n) { s.http.port = static_cast<std::uint16_t>(n); })},
      {"TLS_CERT", "a PEM file", text_into([](Settings& s) { return &s.http.tls_cert; })},
      {"TLS_KEY", "a PEM file", text_into([](Settings& s) { return &s.http.tls_key; })},
      {"MAX_BODY", "a size of at least 1KB", bytes_into(kib, [](Settings& s) { return &s.http.max_body; })},
      {"ALLOWED_ORIGINS", "origins between commas, such as https://chat.example.com",
       checked_list_into(value::is_origin, [](Settings& s) { return &s.allowed_origins; })},
      {"PUBLIC_URL", "a URL such as https://chat.example.com",
       checked_into(value::is_url, [](Settings& s) { return &s.public_url; }), true},
      {"FILES_TTL", "seconds from 1 to 31536000",
       whole_into(1, 31'536'000,
                  [](Settings& s, std::uint64_t n) { s.files_ttl = std::chrono::seconds(n); })},
      {"STATE_DIR", "a folder", text_into([](Settings& s) { return &s.state_dir; })},
      {"SERVER_USER", "a user's name", text_into([](Settings& s) { return &s.server_user; })},
      {"PLUGIN_DIR", "a folder", text_into([](Settings& s) { return &s.plugin_dir; })},
      {"PLUGIN_TRUSTED_KEYS", "PEM files between commas",
       list_into([](Settings& s) { return &s.plugin_trusted_keys; })},
      {"LOG_LEVEL", "one of debug, info, warn, error",
       word_into({"debug", "info", "warn", "error"},
                 [](Settings& s, std::size_t i) { s.log_level = static_cast<log::Level>(i); })},
      {"LOG_FORMAT", "one of text, json",
       word_into({"text", "json"},
                 [](Settings& s, std::size_t i) { s.log_format = static_cast<log::Format>(i); })},
  };
}

std::vector<Setting> of_engine() {
  return {
      {"CONTAINER_BACKEND", "one of auto, docker, podman",
       word_into({"auto", "docker", "podman"},
                 [](Settings& s, std::size_t i) {
                   s.container_backend = i == 0 ? "auto" : i == 1 ? "docker" : "podman";
                 })},
      {"CONTAINER_HOST", "an address such as unix:///run/docker.sock",
       text_into([](Settings& s) { return &s.container_host; })},
      {"CONTAINER_TLS_CA", "a PEM file", text_into([](Settings& s) { return &s.container_tls_ca; })},
      {"CONTAINER_TLS_CERT", "a PEM file", text_into([](Settings& s) { return &s.container_tls_cert; })},
      {"CONTAINER_TLS_KEY", "a PEM file", text_into([](Settings& s) { return &s.container_tls_key; })},
      {"SANDBOX_RUNTIME", "a runtime of the engine", text_into([](Settings& s) { return &s.run.runtime; })},
      {"SANDBOX_PULL", "one of missing, never, always",
       word_into({"missing", "never", "always"},
                 [](Settings& s, std::size_t i) { s.run.pull = static_cast<run::Pull>(i); })},
      {"SANDBOX_REGISTRY_AUTH", "a file as docker login writes it",
       text_into([](Settings& s) { return &s.registry_auth; })},
  };
}

std::vector<Setting> of_sandboxes() {
  return {
      {"SANDBOX_LANGUAGES", "language ids between commas",
       list_into([](Settings& s) { return &s.languages; })},
      {"SANDBOX_POOL_SIZE", "a number from 0 to 100",
       whole_into(0, most_waiting, [](Settings& s, std::uint64_t n) { s.pool_size = n; })},
      {"SANDBOX_POOL_MEMORY", "a size of at least 1MB",
       bytes_into(mib, [](Settings& s) { return &s.pool_memory; })},
      {"SANDBOX_PACKAGE_LAYERS", "true or false",
       into(value::boolean, [](Settings& s) { return &s.run.layers.on; })},
      {"SANDBOX_LAYERS_TTL", "seconds from 1 to 31536000",
       whole_into(1, 31'536'000,
                  [](Settings& s, std::uint64_t n) { s.run.layers.ttl = std::chrono::seconds(n); })},
      {"SANDBOX_LAYERS_SIZE", "a size of at least 1MB",
       bytes_into(mib, [](Settings& s) { return &s.run.layers.size; })},
      {"SANDBOX_LAYERS_PER_USER", "a number from 0 to 10000",
       whole_into(0, 10'000, [](Settings& s, std::uint64_t n) { s.run.layers.builds_per_hour = n; })},
  };
}

std::vector<Setting> of_limits() {
  return {
      {"SANDBOX_EXEC_TIMEOUT", "seconds from 1 to 86400",
       number_into(1, 86'400,
                   [](Settings& s, double n) {
                     s.run.exec_timeout = std::chrono::milliseconds(static_cast<std::int64_t>(n * 1000));
                   })},
      {"SANDBOX_MAX_MEMORY", "a size from 32MB to 1024GB",
       bytes_into(
           32 * mib, [](Settings& s) { return &s.run.limits.memory; }, tib)},
      {"SANDBOX_MAX_CPUS", "cores from 0.05 to 1024",
       number_into(0.05, 1024, [](Settings& s, double n) { s.run.limits.cpus = n; })},
      {"SANDBOX_MAX_PIDS", "a number from 16 to 1000000",
       whole_into(16, 1'000'000,
                  [](Settings& s, std::uint64_t n) { s.run.limits.pids = static_cast<std::int64_t>(n); })},
      {"SANDBOX_MAX_DISK", "a size from 8MB to 1024GB",
       bytes_into(
           8 * mib, [](Settings& s) { return &s.run.limits.disk; }, tib)},
      {"SANDBOX_MAX_INSTALL", "a size from 8MB to 1024GB",
       bytes_into(
           8 * mib, [](Settings& s) { return &s.run.limits.install; }, tib)},
      {"SANDBOX_MAX_TOTAL_MEMORY", "a size of at least 256MB",
       bytes_into(256 * mib, [](Settings& s) { return &s.max_total_memory; })},
      {"SANDBOX_PROOF", "one of require, warn",
       word_into({"require", "warn"},
                 [](Settings& s, std::size_t i) {
                   s.proof = i == 0 ? proof::Demand::require : proof::Demand::warn;
                 })},
      {"SANDBOX_MAX_FILE_SIZE", "a size of at least 1",
       bytes_into(1, [](Settings& s) { return &s.run.max_file; })},
      {"SANDBOX_MAX_FILES", "a number from 0 to 1000",
       whole_into(0, 1000, [](Settings& s, std::uint64_t n) { s.run.max_files = n; })},
      {"SANDBOX_MAX_OUTPUT", "a size of at least 1KB",
       bytes_into(kib, [](Settings& s) { return &s.run.max_output; })},
  };
}

std::vector<Setting> of_network() {
  return {
      {"SANDBOX_NETWORK", network_form,
       word_into(network_words,
                 [](Settings& s, std::size_t i) { s.run.network = static_cast<run::Network>(i); })},
      {"SANDBOX_ALLOWED_HOSTS", "hosts between commas",
       list_into([](Settings& s) { return &s.run.rules.allowed_hosts; })},
      {"EGRESS_PROXY", "a URL such as http://proxy:3128",
       text_into([](Settings& s) { return &s.run.rules.proxy; })},
      {"SANDBOX_MAX_TRAFFIC", "a size of at least 1KB",
       bytes_into(kib, [](Settings& s) { return &s.run.allowance.traffic; })},
      {"SANDBOX_MAX_CONNECTIONS", "a number from 1 to 1000000",
       whole_into(1, 1'000'000, [](Settings& s, std::uint64_t n) { s.run.allowance.connections = n; })},
      {"SANDBOX_CA_BUNDLE", "a PEM file", text_into([](Settings& s) { return &s.ca_bundle; })},
  };
}

bool add_env(Settings& settings, const std::string& language, const std::string& text) {
  for (const std::string& part : text::split(text, ';')) {
    const std::string assignment(text::trim(part));
    if (assignment.empty()) continue;
    if (assignment.find('=') == std::string::npos || assignment.front() == '=') return false;
    settings.run.env[language].push_back(assignment);
  }
  return true;
}

}  // namespace

const std::vector<Setting>& setting_table() {
  static const std::vector<Setting> table = [] {
    std::vector<Setting> made;
    for (auto section :
         {of_callers, of_open_webui, of_server, of_engine, of_sandboxes, of_limits, of_network}) {
      for (Setting& setting : section()) made.push_back(std::move(setting));
    }
    return made;
  }();
  return table;
}

const std::vector<LanguageSetting>& language_setting_table() {
  static const std::vector<LanguageSetting> table = {
      {"SANDBOX_IMAGE_", "an image reference",
       [](Settings& settings, const std::string& language, const std::string& text) {
         settings.run.images[language] = text;
         return engine::check_image(text).ok();
       }},
      {"SANDBOX_NETWORK_", network_form,
       [](Settings& settings, const std::string& language, const std::string& text) {
         const auto word = std::find(network_words.begin(), network_words.end(), text::lower(text));
         settings.run.networks[language] = static_cast<run::Network>(word - network_words.begin());
         return word != network_words.end();
       }},
      {"SANDBOX_POOL_SIZE_", "a number from 0 to 100",
       [](Settings& settings, const std::string& language, const std::string& text) {
         const auto size = value::whole(text, 0, most_waiting);
         if (size) settings.pool_sizes[language] = *size;
         return size.has_value();
       }},
      {"SANDBOX_ENV_", "NAME=value pairs between semicolons", add_env, true},
  };
  return table;
}

}  // namespace codebox::app
