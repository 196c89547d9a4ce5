#include <algorithm>

#include "http/names.hpp"
#include "http/server.hpp"

namespace codebox::http {

std::string Request::header(const std::string& name) const {
  for (const auto& [key, value] : headers) {
    if (same_name(key, name)) return value;
  }
  return {};
}

std::size_t Request::count(const std::string& name) const {
  return static_cast<std::size_t>(std::count_if(
      headers.begin(), headers.end(), [&](const auto& field) { return same_name(field.first, name); }));
}

}  // namespace codebox::http
