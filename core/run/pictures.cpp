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

}  // namespace codebox::run
