#include "store/about.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace codebox::store {
namespace {

const char* const file_name = "about.json";

}  // namespace

bool write_about(const std::filesystem::path& folder, const About& about) {
  const nlohmann::json value{{"owner", about.owner},
                             {"name", about.name},
                             {"content_type", about.content_type},
                             {"size", about.size},
                             {"expires", about.expires}};
  const auto fresh = folder / "about.new";
  std::ofstream out(fresh, std::ios::binary);
  out << value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(fresh, folder / file_name, error);
  return out && !error;
}

std::optional<About> read_about(const std::filesystem::path& folder) {
  std::ifstream in(folder / file_name, std::ios::binary);
  const auto value = nlohmann::json::parse(in, nullptr, false);
  try {
    return About{.owner = value.at("owner"),
                 .name = value.at("name"),
                 .content_type = value.at("content_type"),
                 .size = value.at("size"),
                 .expires = value.at("expires")};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace codebox::store
