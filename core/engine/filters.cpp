#include "engine/filters.hpp"

#include <Poco/URI.h>

#include <nlohmann/json.hpp>

#include "engine/body.hpp"

namespace codebox::engine {

std::string filters(const std::map<std::string, std::string>& wanted) {
  nlohmann::json plain = nlohmann::json::object();
  for (const auto& [name, value] : wanted) plain[name].push_back(value);
  std::string out;
  Poco::URI::encode(plain.dump(), "\"{}[]:,=&+#?", out);
  return out;
}

std::string label_of(const std::string& instance) {
  return std::string(instance_label) + "=" + instance;
}

}  // namespace codebox::engine
