#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace codebox::store {

/// What is known of a kept file, as it lies beside it on disk. Plain value.
struct About {
  std::string owner;
  std::string name;
  std::string content_type;
  std::uint64_t size = 0;
  std::int64_t expires = 0;  ///< seconds since 1970
};

/// Written whole or not at all.
bool write_about(const std::filesystem::path& folder, const About& about);
std::optional<About> read_about(const std::filesystem::path& folder);

}  // namespace codebox::store
