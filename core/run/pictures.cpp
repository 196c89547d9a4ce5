#include "run/pictures.hpp"

#include <string_view>

#include "base/text.hpp"

namespace codebox::run {
namespace {

std::string extension(const std::string& name) {
  const auto dot = name.rfind('.');
  return dot == std::string::npos ? "" : text::lower(name.substr(dot + 1));
}

}  // namespace

std::string inline_picture_type(const std::string& name) {
  const std::string end = extension(name);
  if (end == "png" || end == "gif" || end == "webp") return "image/" + end;
  if (end == "jpg" || end == "jpeg") return "image/jpeg";
  return {};
}

bool is_picture(const std::string& name) {
  return !inline_picture_type(name).empty() || extension(name) == "svg";
}

bool has_signature(const std::string& type, const std::string& bytes) {
  const std::string_view view = bytes;
  if (type == "image/png") return view.starts_with("\x89PNG\r\n\x1a\n");
  if (type == "image/jpeg") return view.starts_with("\xff\xd8\xff");
  if (type == "image/gif") return view.starts_with("GIF8");
  return view.starts_with("RIFF") && view.substr(0, 12).ends_with("WEBP");
}

std::string to_base64(const std::string& bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned block = 0;
    const std::size_t have = bytes.size() - i < 3 ? bytes.size() - i : 3;
    for (std::size_t j = 0; j < 3; ++j)
      block = block << 8 | (j < have ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) out += j <= have ? alphabet[block >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

}  // namespace codebox::run
