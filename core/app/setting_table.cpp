#include "app/setting_table.hpp"

#include <algorithm>

#include "app/value.hpp"
#include "base/text.hpp"

namespace codebox::app {
namespace {

using Apply = std::function<bool(Settings&, const std::string&)>;

// Puts a parsed value where `place` says; false when there is none.
template <class Parsed, class Place>
Apply into(Parsed (*parse)(const std::string&), Place place) {
  return [parse, place](Settings& settings, const std::string& text) {
    const auto parsed = parse(text);
    if (!parsed) return false;
    using Target = std::remove_reference_t<decltype(place(settings))>;
    place(settings) = static_cast<Target>(*parsed);
    return true;
  };
}

template <class Place>
Apply text_into(Place place) {
  return [place](Settings& settings, const std::string& text) {
    place(settings) = text;
    return true;
  };
}

template <class Place>
Apply list_into(Place place) {
  return [place](Settings& settings, const std::string& text) {
    place(settings) = value::list(text);
    return true;
  };
}

// One of a few words; `place` gets the position of the word.
template <class Place>
Apply word_into(std::vector<std::string> words, Place place) {
  return [words = std::move(words), place](Settings& settings, const std::string& text) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (text::lower(text) == words[i]) {
        place(settings, i);
        return true;
      }
    }
    return false;
  };
}

template <class Place>
Apply whole_into(std::uint64_t lowest, std::uint64_t highest, Place place) {
  return [=](Settings& settings, const std::string& text) {
    const auto parsed = value::whole(text, lowest, highest);
    if (parsed) place(settings, *parsed);
    return parsed.has_value();
  };
}

template <class Place>
Apply number_into(double lowest, double highest, Place place) {
  return [=](Settings& settings, const std::string& text) {
    const auto parsed = value::number(text, lowest, highest);
    if (parsed) place(settings, *parsed);
    return parsed.has_value();
  };
}

template <class Place>
Apply bytes_into(std::uint64_t lowest, Place place) {
  return [=](Settings& settings, const std::string& text) {
    const auto parsed = value::bytes(text);
    if (!parsed || *parsed < lowest) return false;
    place(settings) = static_cast<std::remove_reference_t<decltype(place(settings))>>(*parsed);
    return true;
  };
}

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = 1024 * kib;
const char* const network_form = "one of none, install, allowlist, full";
const std::vector<std::string> network_words = {"none", "install", "allowlist", "full"};  // as run::Network
constexpr std::uint64_t most_waiting = 100;
const char* const size_form = "a size such as 500MB";

void add_server(std::vector<Setting>& table) {
  table.push_back(
      {"HOST", "an address to listen on", text_into([](Settings & s) -> auto& { return s.http.host; })});
  table.push_back({"PORT", "a port from 0 to 65535", whole_into(0, 65535, [](Settings& s, std::uint64_t n) {
                     s.http.port = static_cast<std::uint16_t>(n);
                   })});
  table.push_back(
      {"TLS_CERT", "a PEM file", text_into([](Settings & s) -> auto& { return s.http.tls_cert; })});
  table.push_back({"TLS_KEY", "a PEM file", text_into([](Settings & s) -> auto& { return s.http.tls_key; })});
  table.push_back({"MAX_BODY", size_form,
                   bytes_into(
                       kib, [](Settings & s) -> auto& { return s.http.max_body; })});
  table.push_back({"ALLOWED_ORIGINS", "origins between commas",
                   list_into([](Settings & s) -> auto& { return s.allowed_origins; })});
  table.push_back({"PUBLIC_URL", "a URL", text_into([](Settings & s) -> auto& { return s.public_url; })});
  table.push_back({"STATE_DIR", "a folder", text_into([](Settings & s) -> auto& { return s.state_dir; })});
  table.push_back(
      {"SERVER_USER", "a user's name", text_into([](Settings & s) -> auto& { return s.server_user; })});
  table.push_back({"PLUGIN_DIR", "a folder", text_into([](Settings & s) -> auto& { return s.plugin_dir; })});
  table.push_back({"PLUGIN_TRUSTED_KEYS", "PEM files between commas",
                   list_into([](Settings & s) -> auto& { return s.plugin_trusted_keys; })});
  table.push_back({"FILES_TTL", "seconds from 1 to 31536000",
                   whole_into(1, 31'536'000,
                              [](Settings& s, std::uint64_t n) { s.files_ttl = std::chrono::seconds(n); })});
  table.push_back({"LOG_LEVEL", "one of debug, info, warn, error",
                   word_into({"debug", "info", "warn", "error"},
                             [](Settings& s, std::size_t i) { s.log_level = static_cast<log::Level>(i); })});
  table.push_back(
      {"LOG_FORMAT", "one of text, json", word_into({"text", "json"}, [](Settings& s, std::size_t i) {
         s.log_format = static_cast<log::Format>(i);
       })});
}

void add_callers(std::vector<Setting>& table) {
  table.push_back({"JWT_SECRET", "Open WebUI's WEBUI_SECRET_KEY",
                   text_into([](Settings & s) -> auto& { return s.auth.secret; })});
  table.push_back({"JWT_ALGORITHM", "one of HS256, HS384, HS512, RS256, ES256",
                   text_into([](Settings & s) -> auto& { return s.auth.algorithm; })});
  table.push_back(
      {"JWT_LEEWAY", "seconds from 0 to 3600",
       whole_into(0, 3600, [](Settings& s, std::uint64_t n) { s.auth.leeway = std::chrono::seconds(n); })});
  table.push_back({"RATE_LIMIT_RPS", "calls per second from 0 to 10000",
                   number_into(0, 10'000, [](Settings& s, double n) { s.quota.per_second = n; })});
  table.push_back({"RATE_LIMIT_BURST", "calls from 1 to 100000",
                   number_into(1, 100'000, [](Settings& s, double n) { s.quota.burst = n; })});
  table.push_back({"MAX_CONCURRENT_SANDBOXES", "a number from 1 to 10000",
                   whole_into(1, 10'000, [](Settings& s, std::uint64_t n) { s.quota.concurrent = n; })});
  table.push_back({"MAX_CONCURRENT_SANDBOXES_PER_USER", "a number from 1 to 10000",
                   whole_into(1, 10'000, [](Settings& s, std::uint64_t n) { s.quota.per_user = n; })});
  table.push_back(
      {"OWUI_BASE_URL", "a URL", text_into([](Settings & s) -> auto& { return s.owui_base_url; })});
  table.push_back({"OWUI_VERIFY_TLS", "true or false",
                   into(
                       value::boolean, [](Settings & s) -> auto& { return s.owui_verify_tls; })});
  table.push_back(
      {"OWUI_CA_BUNDLE", "a PEM file", text_into([](Settings & s) -> auto& { return s.owui_ca_bundle; })});
  table.push_back(
      {"OWUI_PUBLIC_URL", "a URL", text_into([](Settings & s) -> auto& { return s.owui_public_url; })});
  table.push_back({"OWUI_CHECK_USER", "true or false",
                   into(
                       value::boolean, [](Settings & s) -> auto& { return s.owui_check_user; })});
  table.push_back({"OWUI_EMBEDS", "true or false",
                   into(
                       value::boolean, [](Settings & s) -> auto& { return s.run.embeds; })});
  table.push_back({"OWUI_EMBED_HOSTS", "hosts between commas",
                   list_into([](Settings & s) -> auto& { return s.run.embed_hosts; })});
  table.push_back({"OWUI_INLINE_IMAGES", "a number from 0 to 100",
                   whole_into(0, 100, [](Settings& s, std::uint64_t n) { s.run.inline_images = n; })});
  table.push_back({"OWUI_INLINE_BYTES", "a size of at least 1KB",
                   bytes_into(
                       kib, [](Settings & s) -> auto& { return s.run.inline_bytes; })});
  table.push_back({"OWUI_STATUS", "true or false",
                   into(
                       value::boolean, [](Settings & s) -> auto& { return s.owui_status; })});
}

void add_sandbox(std::vector<Setting>& table) {
  table.push_back({"CONTAINER_BACKEND", "one of auto, docker, podman",
                   word_into({"auto", "docker", "podman"}, [](Settings& s, std::size_t i) {
                     s.container_backend = i == 0 ? "auto" : i == 1 ? "docker" : "podman";
                   })});
  table.push_back({"CONTAINER_HOST", "an address such as unix:///run/docker.sock",
                   text_into([](Settings & s) -> auto& { return s.container_host; })});
  table.push_back({"CONTAINER_TLS_CA", "a PEM file",
                   text_into([](Settings & s) -> auto& { return s.container_tls_ca; })});
  table.push_back({"CONTAINER_TLS_CERT", "a PEM file",
                   text_into([](Settings & s) -> auto& { return s.container_tls_cert; })});
  table.push_back({"CONTAINER_TLS_KEY", "a PEM file",
                   text_into([](Settings & s) -> auto& { return s.container_tls_key; })});
  table.push_back({"SANDBOX_REGISTRY_AUTH", "a file as docker login writes it",
                   text_into([](Settings & s) -> auto& { return s.registry_auth; })});
  table.push_back({"SANDBOX_RUNTIME", "a runtime of the engine",
                   text_into([](Settings & s) -> auto& { return s.run.runtime; })});
  table.push_back({"SANDBOX_PULL", "one of missing, never, always",
                   word_into({"missing", "never", "always"},
                             [](Settings& s, std::size_t i) { s.run.pull = static_cast<run::Pull>(i); })});
  table.push_back({"SANDBOX_LANGUAGES", "language ids between commas",
                   list_into([](Settings & s) -> auto& { return s.languages; })});
  table.push_back({"SANDBOX_MAX_MEMORY", "a size of at least 32MB",
                   bytes_into(
                       32 * mib, [](Settings & s) -> auto& { return s.run.limits.memory; })});
  table.push_back({"SANDBOX_MAX_DISK", "a size of at least 8MB",
                   bytes_into(
                       8 * mib, [](Settings & s) -> auto& { return s.run.limits.disk; })});
  table.push_back({"SANDBOX_MAX_INSTALL", "a size of at least 8MB",
                   bytes_into(
                       8 * mib, [](Settings & s) -> auto& { return s.run.limits.install; })});
  table.push_back({"SANDBOX_MAX_CPUS", "cores from 0.05 to 1024",
                   number_into(0.05, 1024, [](Settings& s, double n) { s.run.limits.cpus = n; })});
  table.push_back({"SANDBOX_MAX_PIDS", "a number from 16 to 1000000",
                   whole_into(16, 1'000'000, [](Settings& s, std::uint64_t n) {
                     s.run.limits.pids = static_cast<std::int64_t>(n);
                   })});
  table.push_back({"SANDBOX_MAX_TOTAL_MEMORY", "a size of at least 256MB",
                   bytes_into(
                       256 * mib, [](Settings & s) -> auto& { return s.max_total_memory; })});
  table.push_back({"SANDBOX_PROOF", "one of require, warn",
                   word_into({"require", "warn"}, [](Settings& s, std::size_t i) {
                     s.proof = i == 0 ? proof::Demand::require : proof::Demand::warn;
                   })});
  table.push_back(
      {"SANDBOX_EXEC_TIMEOUT", "seconds from 1 to 86400", number_into(1, 86'400, [](Settings& s, double n) {
         s.run.exec_timeout = std::chrono::milliseconds(static_cast<std::int64_t>(n * 1000));
       })});
  table.push_back({"SANDBOX_MAX_FILE_SIZE", size_form,
                   bytes_into(
                       1, [](Settings & s) -> auto& { return s.run.max_file; })});
  table.push_back({"SANDBOX_MAX_OUTPUT", "a size of at least 1KB",
                   bytes_into(
                       kib, [](Settings & s) -> auto& { return s.run.max_output; })});
  table.push_back({"SANDBOX_MAX_FILES", "a number from 0 to 1000",
                   whole_into(0, 1000, [](Settings& s, std::uint64_t n) { s.run.max_files = n; })});
  table.push_back({"SANDBOX_NETWORK", network_form, word_into(network_words, [](Settings& s, std::size_t i) {
                     s.run.network = static_cast<run::Network>(i);
                   })});
  table.push_back({"SANDBOX_MAX_TRAFFIC", "a size of at least 1KB",
                   bytes_into(
                       kib, [](Settings & s) -> auto& { return s.run.allowance.traffic; })});
  table.push_back(
      {"SANDBOX_MAX_CONNECTIONS", "a number from 1 to 1000000",
       whole_into(1, 1'000'000, [](Settings& s, std::uint64_t n) { s.run.allowance.connections = n; })});
  table.push_back({"SANDBOX_ALLOWED_HOSTS", "hosts between commas",
                   list_into([](Settings & s) -> auto& { return s.run.rules.allowed_hosts; })});
  table.push_back({"EGRESS_PROXY", "a URL such as http://proxy:3128",
                   text_into([](Settings & s) -> auto& { return s.run.rules.proxy; })});
  table.push_back({"SANDBOX_POOL_SIZE", "a number from 0 to 100",
                   whole_into(0, most_waiting, [](Settings& s, std::uint64_t n) { s.pool_size = n; })});
  table.push_back({"SANDBOX_POOL_MEMORY", "a size of at least 1MB",
                   bytes_into(
                       mib, [](Settings & s) -> auto& { return s.pool_memory; })});
  table.push_back({"SANDBOX_PACKAGE_LAYERS", "true or false",
                   into(
                       value::boolean, [](Settings & s) -> auto& { return s.run.layers.on; })});
  table.push_back({"SANDBOX_LAYERS_TTL", "seconds from 1 to 31536000",
                   whole_into(1, 31'536'000, [](Settings& s, std::uint64_t n) {
                     s.run.layers.ttl = std::chrono::seconds(n);
                   })});
  table.push_back({"SANDBOX_LAYERS_SIZE", "a size of at least 1MB",
                   bytes_into(
                       mib, [](Settings & s) -> auto& { return s.run.layers.size; })});
  table.push_back(
      {"SANDBOX_LAYERS_PER_USER", "a number from 0 to 10000",
       whole_into(0, 10'000, [](Settings& s, std::uint64_t n) { s.run.layers.builds_per_hour = n; })});
  table.push_back(
      {"SANDBOX_CA_BUNDLE", "a PEM file", text_into([](Settings & s) -> auto& { return s.ca_bundle; })});
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
    add_callers(made);
    add_server(made);
    add_sandbox(made);
    return made;
  }();
  return table;
}

const std::vector<LanguageSetting>& language_setting_table() {
  static const std::vector<LanguageSetting> table = {
      {"SANDBOX_IMAGE_", "an image reference",
       [](Settings& settings, const std::string& language, const std::string& text) {
         settings.run.images[language] = text;
         return text.find_first_of(" \t") == std::string::npos;
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
      {"SANDBOX_ENV_", "NAME=value pairs between semicolons", add_env},
  };
  return table;
}

}  // namespace codebox::app
