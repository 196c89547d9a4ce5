#include "plugin/tool_content.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/encoding.hpp"
#include "base/text.hpp"

namespace codebox::plugin {
namespace {

using nlohmann::json;

constexpr std::size_t longest_uri = 2048;
constexpr std::size_t longest_name = 256;

Failure broken(const std::string& what) {
  return {Reason::invalid, what};
}

/// The member as a text; empty where it is none.
std::string member(const json& block, const char* name) {
  const auto found = block.find(name);
  return found != block.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool is_line(const std::string& text, std::size_t least, std::size_t most) {
  return text.size() >= least && text.size() <= most && text::one_line(text) == text;
}

// Both halves are of RFC 2045's tokens, without parameters.
bool is_mime_type(const std::string& text) {
  const auto slash = text.find('/');
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789.+-/";
  return slash != std::string::npos && slash > 0 && slash + 1 < text.size() && text.size() <= 100 &&
         text.find('/', slash + 1) == std::string::npos &&
         text.find_first_not_of(letters) == std::string::npos;
}

// Clients do not read a URI of a scheme that runs something.
bool is_uri(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos || colon == 0 || !is_line(text, 3, longest_uri)) return false;
  const std::string scheme = text::lower(text.substr(0, colon));
  constexpr std::array<std::string_view, 2> refused = {"javascript", "vbscript"};
  return text.find(' ') == std::string::npos &&
         scheme.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+.-") == std::string::npos &&
         std::find(refused.begin(), refused.end(), scheme) == refused.end();
}

Result<ToolContent> media(const json& block, ToolContent out) {
  out.data = member(block, "data");
  out.mime_type = text::lower(member(block, "mimeType"));
  constexpr std::array<std::string_view, 4> pictures = {"image/png", "image/jpeg", "image/gif", "image/webp"};
  const bool picture = out.kind == ToolContent::Kind::image;
  const bool known = picture ? std::find(pictures.begin(), pictures.end(), out.mime_type) != pictures.end()
                             : out.mime_type.starts_with("audio/") && is_mime_type(out.mime_type);
  if (!known)
    return broken(std::string(picture ? "an image" : "an audio") + " of the type " +
                  text::quoted(out.mime_type, 60));
  const auto bytes = encoding::from_base64(out.data);
  if (!bytes || bytes->empty()) return broken("a picture or a sound that is not base64");
  return out;
}

Result<ToolContent> resource(const json& block, ToolContent out) {
  const auto held = block.find("resource");
  if (held == block.end() || !held->is_object()) return broken("a resource without its member resource");
  out.uri = member(*held, "uri");
  out.mime_type = text::lower(member(*held, "mimeType"));
  if (!is_uri(out.uri)) return broken("a resource without a URI");
  if (!out.mime_type.empty() && !is_mime_type(out.mime_type))
    return broken("a resource of the type " + text::quoted(out.mime_type, 60));
  out.binary = held->contains("blob");
  if (out.binary == held->contains("text")) return broken("a resource that has not one of text and blob");
  out.data = member(*held, out.binary ? "blob" : "text");
  if (out.binary && !encoding::from_base64(out.data)) return broken("a resource whose blob is not base64");
  return out;
}

Result<ToolContent> link(const json& block, ToolContent out) {
  out.uri = member(block, "uri");
  out.name = member(block, "name");
  out.description = member(block, "description");
  out.mime_type = text::lower(member(block, "mimeType"));
  if (!is_uri(out.uri) || !is_line(out.name, 1, longest_name))
    return broken("a link without a URI or a name");
  if (!is_line(out.description, 0, 4 * longest_name)) return broken("a link with too long a description");
  if (!out.mime_type.empty() && !is_mime_type(out.mime_type))
    return broken("a link of the type " + text::quoted(out.mime_type, 60));
  return out;
}

}  // namespace

Result<ToolContent> read_content(const json& block) {
  ToolContent out;
  if (!block.is_object()) return broken("a content block that is no object");
  const std::string type = member(block, "type");
  if (type == "text") {
    const auto text = block.find("text");
    if (text == block.end() || !text->is_string()) return broken("a text without its member text");
    out.data = text->get<std::string>();
    return out;
  }
  if (type == "image" || type == "audio") {
    out.kind = type == "image" ? ToolContent::Kind::image : ToolContent::Kind::audio;
    return media(block, std::move(out));
  }
  if (type == "resource") {
    out.kind = ToolContent::Kind::resource;
    return resource(block, std::move(out));
  }
  if (type == "resource_link") {
    out.kind = ToolContent::Kind::link;
    return link(block, std::move(out));
  }
  return broken("a content block of the type " + text::quoted(type, 60));
}

}  // namespace codebox::plugin
