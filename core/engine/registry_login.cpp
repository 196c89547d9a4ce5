#include "engine/registry_login.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/encoding.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "engine/image.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

std::string variable(const char* name, const std::string& below) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value + below : "";
}

std::vector<std::string> usual_places() {
  std::vector<std::string> places;
  for (auto place :
       {variable("REGISTRY_AUTH_FILE", ""), variable("DOCKER_CONFIG", "/config.json"),
        variable("XDG_RUNTIME_DIR", "/containers/auth.json"),
        variable("XDG_CONFIG_HOME", "/containers/auth.json"),
        variable("HOME", "/.config/containers/auth.json"), variable("HOME", "/.docker/config.json")})
    if (!place.empty()) places.push_back(std::move(place));
  return places;
}

// The engines want the alphabet for URLs, with its padding.
std::string encode(const std::string& bytes) {
  std::string out = encoding::to_base64(bytes);
  for (char& c : out) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return out;
}

/// One entry of "auths" as the header's value.
std::string header(const json& entry, const std::string& registry) {
  json login = {{"serveraddress", registry}};
  if (const std::string token = entry.value("identitytoken", ""); !token.empty()) {
    login["identitytoken"] = token;
    return encode(login.dump());
  }
  std::string name = entry.value("username", "");
  std::string password = entry.value("password", "");
  const std::string both = encoding::from_base64(entry.value("auth", "")).value_or("");
  if (both.find(':') != std::string::npos) {
    name = both.substr(0, both.find(':'));
    password = both.substr(both.find(':') + 1);
  }
  if (name.empty()) return "";
  login["username"] = name;
  login["password"] = password;
  return encode(login.dump());
}

/// A registry's name out of a key, which older programs wrote as a URL.
std::string plain(std::string key) {
  if (const auto scheme = key.find("://"); scheme != std::string::npos) key.erase(0, scheme + 3);
  key.erase(std::min(key.find('/'), key.size()));
  return key == "index.docker.io" || key == "registry-1.docker.io" ? docker_hub : key;
}

std::string find(const json& config, const std::string& registry, const std::string& file) {
  const json auths = config.value("auths", json::object());
  for (const auto& [key, entry] : auths.items()) {
    if (plain(key) != registry || !entry.is_object()) continue;
    if (auto found = header(entry, registry); !found.empty()) return found;
    log::warn("The login to " + registry + " in " + file +
              " is kept by a credential helper, which is not asked; set SANDBOX_REGISTRY_AUTH to a file that "
              "holds it.");
  }
  return "";
}

}  // namespace

Result<std::string> registry_login(const std::string& file, const std::string& registry) {
  for (const auto& path : file.empty() ? usual_places() : std::vector<std::string>{file}) {
    std::ifstream in(path, std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!in && file.empty()) continue;
    const auto config = json::parse(content, nullptr, false);
    try {
      if (config.is_object()) {
        if (auto found = find(config, registry, path); !found.empty()) return found;
        continue;
      }
    } catch (const json::exception&) {
      log::warn("The logins in " + path + " cannot be read; they are left out.");
    }
    if (!file.empty())
      return Failure{Reason::image, "SANDBOX_REGISTRY_AUTH names " + text::quoted(file) +
                                        ", which cannot be read as JSON; give the file that docker login or "
                                        "podman login wrote."};
  }
  return std::string();
}

}  // namespace codebox::engine
