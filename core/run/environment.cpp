#include "run/environment.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "sandbox/sandbox.hpp"

namespace codebox::run {
namespace {

using Variables = std::map<std::string, std::string>;

constexpr const char* proxy = "http://127.0.0.1:3128";

void set(Variables& variables, const std::string& assignment) {
  const auto at = assignment.find('=');
  if (at != std::string::npos && at > 0) variables[assignment.substr(0, at)] = assignment.substr(at + 1);
}

void set_all(Variables& variables, const std::vector<std::string>& assignments) {
  for (const std::string& assignment : assignments) set(variables, assignment);
}

std::string fill(std::string value, const plugin::LanguageSpec& language) {
  const std::pair<std::string, std::string> places[] = {
      {"{source}", std::string(sandbox::work_folder) + '/' + language.source_file},
      {"{dir}", std::string(sandbox::work_folder)},
      {"{support}", std::string(sandbox::support_folder)},
      {"{prefix}", std::string(sandbox::packages_folder)},
  };
  for (const auto& [name, place] : places) {
    for (auto at = value.find(name); at != std::string::npos; at = value.find(name, at + place.size())) {
      value.replace(at, name.size(), place);
    }
  }
  return value;
}

std::vector<std::string> fill(std::vector<std::string> values, const plugin::LanguageSpec& language) {
  for (std::string& value : values) value = fill(std::move(value), language);
  return values;
}

Variables common() {
  const std::string home(sandbox::home_folder);
  return {{"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
          {"LANG", "C.UTF-8"},
          {"HOME", home},
          {"USER", "sandbox"},
          {"LOGNAME", "sandbox"},
          {"TMPDIR", std::string(sandbox::temporary_folder)},
          {"XDG_CACHE_HOME", home + "/.cache"},
          {"XDG_CONFIG_HOME", home + "/.config"},
          {"XDG_DATA_HOME", home + "/.local/share"}};
}

}  // namespace

bool is_index_variable(const plugin::LanguageSpec& language, const std::string& name) {
  if (!language.packages) return false;
  const auto& names = language.packages->index_variables;
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> environment(Phase phase, const plugin::LanguageSpec& language,
                                     const engine::ImageInfo& image, const Options& options) {
  Variables variables = common();
  for (const std::string& assignment : image.env) {
    const std::string name = assignment.substr(0, assignment.find('='));
    // The image's HOME belongs to the image's user, who is not the one that runs here.
    if (name != "HOME") set(variables, assignment);
  }
  set_all(variables, fill(language.env, language));
  if (language.packages) set_all(variables, fill(language.packages->env, language));
  if (options.authorities) {
    for (const char* name : {"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "PIP_CERT",
                             "NODE_EXTRA_CA_CERTS", "CARGO_HTTP_CAINFO", "GIT_SSL_CAINFO"}) {
      variables[name] = authorities_file;
    }
  }
  if (const auto own = options.env.find(language.id); own != options.env.end())
    set_all(variables, own->second);

  if (phase == Phase::install) {
    variables["TMPDIR"] = std::string(sandbox::packages_folder) + "/.tmp";
    if (language.packages) set_all(variables, fill(language.packages->install_env, language));
  } else {
    std::erase_if(variables, [&](const auto& entry) {
      return is_index_variable(language, entry.first) && entry.first != "PIP_CERT";
    });
  }
  const Network network = network_of(options, language.id);
  // Installers use the tunnel in every mode, `full` too: so the rules for indexes are the same everywhere.
  const bool tunnel = phase == Phase::install ? network != Network::none : network == Network::allowlist;
  if (tunnel) {
    for (const char* name : {"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"})
      variables[name] = proxy;
    variables["NO_PROXY"] = variables["no_proxy"] = "localhost,127.0.0.1,::1";
    // Node's own fetch looks at the variables above only when told to.
    variables["NODE_USE_ENV_PROXY"] = "1";
  }

  std::vector<std::string> out;
  for (const auto& [name, value] : variables) out.push_back(name + '=' + value);
  return out;
}

std::vector<std::string> command_line(const plugin::Command& command, const plugin::LanguageSpec& language,
                                      const std::vector<std::string>& packages) {
  std::vector<std::string> out;
  for (const std::string& argument : command.argv) {
    if (argument == "{packages}") {
      out.insert(out.end(), packages.begin(), packages.end());
    } else {
      out.push_back(fill(argument, language));
    }
  }
  return out;
}

std::chrono::milliseconds time_of(const plugin::Command& command, std::chrono::milliseconds left) {
  return command.time.count() > 0 ? std::min(command.time, left) : left;
}

std::string without_secrets(std::string output, const std::vector<std::string>& env,
                            const plugin::LanguageSpec& language) {
  const auto hide = [&output](const std::string& secret) {
    if (secret.size() < 2) return;
    for (auto at = output.find(secret); at != std::string::npos; at = output.find(secret, at + 4)) {
      output.replace(at, secret.size(), "****");
    }
  };
  for (const std::string& assignment : env) {
    const auto equals = assignment.find('=');
    if (!is_index_variable(language, assignment.substr(0, equals))) continue;
    for (const std::string& word : text::split(assignment.substr(equals + 1), ' ')) {
      const auto scheme = word.find("://");
      const auto at = word.rfind('@');
      if (scheme == std::string::npos || at == std::string::npos || at < scheme) continue;
      const std::string userinfo = word.substr(scheme + 3, at - scheme - 3);
      hide(userinfo);
      if (const auto colon = userinfo.find(':'); colon != std::string::npos) hide(userinfo.substr(colon + 1));
    }
  }
  // Whatever else has the form scheme://user:password@host, for example an index that an image configured in
  // a file.
  for (auto at = output.find("://"); at != std::string::npos; at = output.find("://", at + 3)) {
    const auto end = output.find_first_of(" \t\r\n\"'<>/", at + 3);
    const auto host = output.rfind('@', end == std::string::npos ? output.size() : end);
    if (host != std::string::npos && host > at + 3) output.replace(at + 3, host - at - 3, "****");
  }
  return output;
}

}  // namespace codebox::run
