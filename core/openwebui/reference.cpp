#include "openwebui/reference.hpp"

#include <algorithm>
#include <cctype>

#include "base/text.hpp"

namespace codebox::openwebui {
namespace {

constexpr std::size_t uuid_length = 36;
constexpr std::size_t longest_reference = 4096;

bool is_hex(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

// The UUID that `text` starts with, where nothing but a separator follows it.
std::string leading_uuid(std::string_view text) {
  if (!is_uuid(text.substr(0, uuid_length))) return "";
  if (text.size() > uuid_length && std::string_view("/?#").find(text[uuid_length]) == std::string_view::npos)
    return "";
  return text::lower(text.substr(0, uuid_length));
}

}  // namespace

bool is_uuid(std::string_view text) {
  if (text.size() != uuid_length) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

Reference parse_reference(std::string_view text) {
  text = text::trim(text);
  const bool control = std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
  if (text.empty() || text.size() > longest_reference || control || !text::is_utf8(text)) return {};
  if (is_uuid(text)) return {.id = text::lower(text), .name = ""};
  if (text.starts_with("file-") && is_uuid(text.substr(5)))
    return {.id = text::lower(text.substr(5)), .name = ""};
  constexpr std::string_view folder = "files/";
  for (auto at = text.find(folder); at != std::string_view::npos; at = text.find(folder, at + 1)) {
    if (at > 0 && text[at - 1] != '/') continue;
    const std::string id = leading_uuid(text.substr(at + folder.size()));
    if (!id.empty()) return {.id = id, .name = ""};
  }
  return {.id = "", .name = std::string(text)};
}

std::string_view base_name(std::string_view name) {
  const auto slash = name.find_last_of('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

}  // namespace codebox::openwebui
