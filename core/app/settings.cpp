#include "app/settings.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "app/network.hpp"
#include "app/setting_table.hpp"
#include "base/text.hpp"

extern char** environ;

namespace codebox::app {
namespace {

// `kind` is the row of the table that `name` belongs to.
template <class Kind>
Failure malformed(const std::string& name, const Kind& kind, const std::string& value) {
  const std::string shown = kind.secret ? "" : ", and is " + text::quoted(value);
  return {Reason::invalid, "The setting " + name + " is malformed: it must be " + kind.form + shown + "."};
}

// The language of a name such as SANDBOX_IMAGE_PYTHON under `prefix`, or empty.
std::string language_of(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return {};
  const std::string id = name.substr(prefix.size());
  for (const char c : id) {
    if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return {};
  }
  return text::lower(id);
}

bool is_known(const std::string& name) {
  for (const Setting& setting : setting_table()) {
    if (setting.name == name) return true;
  }
  for (const LanguageSetting& setting : language_setting_table()) {
    if (!language_of(name, setting.prefix).empty()) return true;
  }
  return false;
}

std::string nearest(const std::string& name) {
  std::string best;
  std::size_t best_distance = std::string::npos;
  for (const std::string& known : setting_names()) {
    const std::size_t distance = text::distance(name, known);
    if (distance < best_distance) {
      best_distance = distance;
      best = known;
    }
  }
  return best;
}

// Containers and services get their settings by the environment alone, where a misspelt name would do nothing
// in silence.
std::vector<std::string> misspelt(const Variables& environment) {
  std::vector<std::string> doubts;
  for (const auto& [name, text] : environment) {
    if (text.empty() || is_known(name) || !(name.starts_with("SANDBOX_") || name.starts_with("OWUI_")))
      continue;
    doubts.push_back("The environment has " + text::quoted(name) + ", which is no setting: did you mean " +
                     nearest(name) + "?");
  }
  return doubts;
}

Result<void> apply_all(Settings& settings, const Variables& variables) {
  for (const Setting& setting : setting_table()) {
    const auto at = variables.find(setting.name);
    if (at == variables.end() || at->second.empty()) continue;
    if (!setting.apply(settings, at->second)) return malformed(setting.name, setting, at->second);
  }
  for (const auto& [name, text] : variables) {
    if (text.empty()) continue;
    for (const LanguageSetting& setting : language_setting_table()) {
      const std::string language = language_of(name, setting.prefix);
      if (language.empty()) continue;
      if (!setting.apply(settings, language, text)) return malformed(name, setting, text);
      settings.of_languages[name] = language;
    }
  }
  return {};
}

std::filesystem::path default_state_dir() {
  if (::geteuid() == 0) return "/var/lib/codebox";
  if (const char* state = std::getenv("XDG_STATE_HOME")) return std::filesystem::path(state) / "codebox";
  if (const char* home = std::getenv("HOME")) return std::filesystem::path(home) / ".local/state/codebox";
  return "/tmp/codebox-state";
}

std::filesystem::path default_plugin_dir() {
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  const auto beside = program.parent_path() / "plugins";
  return std::filesystem::is_directory(beside, ignored) ? beside
                                                        : program.parent_path() / "lib/codebox/plugins";
}

}  // namespace

Result<Settings> read_settings(const Variables& environment, const Variables& dotenv) {
  for (const auto& [name, text] : dotenv) {
    if (!is_known(name)) {
      return Failure{Reason::invalid, "The .env file has the unknown setting " + text::quoted(name) +
                                          ": did you mean " + nearest(name) + "?"};
    }
  }
  Variables variables = dotenv;
  for (const auto& [name, text] : environment) {
    if (!text.empty()) variables[name] = text;
  }
  Settings settings;
  if (auto applied = apply_all(settings, variables); !applied) return applied.failure();
  if (settings.state_dir.empty()) settings.state_dir = default_state_dir();
  if (settings.plugin_dir.empty()) settings.plugin_dir = default_plugin_dir();
  if (settings.http.tls_cert.empty() != settings.http.tls_key.empty()) {
    return Failure{Reason::invalid, "TLS needs both TLS_CERT and TLS_KEY; only one of them is set."};
  }
  if (uses(settings, run::Network::allowlist) && settings.run.rules.allowed_hosts.empty()) {
    return Failure{Reason::invalid, "SANDBOX_NETWORK=allowlist needs SANDBOX_ALLOWED_HOSTS, which is empty."};
  }
  keep_apart(settings);
  settings.doubts = misspelt(environment);
  settings.run.authorities = !settings.ca_bundle.empty();
  return settings;
}

Variables process_environment() {
  Variables variables;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string assignment = *entry;
    const auto at = assignment.find('=');
    if (at != std::string::npos) variables[assignment.substr(0, at)] = assignment.substr(at + 1);
  }
  return variables;
}

Result<Settings> load_settings() {
  Variables dotenv;
  std::ifstream file(".env");
  if (!file && errno != ENOENT) {
    return Failure{Reason::invalid, "The .env file cannot be read (" + std::string(std::strerror(errno)) +
                                        "): let this user read it, or start in another folder."};
  }
  if (file) {
    std::ostringstream content;
    content << file.rdbuf();
    auto parsed = parse_dotenv(content.str());
    if (!parsed) return parsed.failure();
    dotenv = std::move(*parsed);
  }
  return read_settings(process_environment(), dotenv);
}

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const Setting& setting : setting_table()) names.push_back(setting.name);
  for (const LanguageSetting& setting : language_setting_table()) names.push_back(setting.prefix + "<ID>");
  return names;
}

}  // namespace codebox::app
