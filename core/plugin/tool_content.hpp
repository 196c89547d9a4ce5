#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/result.hpp"

namespace codebox::plugin {

/// One content block that a plugin's tool gave, checked. Plain value.
struct ToolContent {
  enum class Kind { text, image, audio, resource, link } kind = Kind::text;
  std::string data;         ///< text as UTF-8; of an image, an audio and a binary resource base64
  std::string mime_type;    ///< required of images and audio
  std::string uri;          ///< of a resource and a link
  std::string name;         ///< of a link
  std::string description;  ///< of a link, for people; may be empty
  bool binary = false;      ///< the resource is a blob
};

/// Takes over what the protocol knows of `block` and nothing else; or which rule it breaks, as the end of a
/// sentence.
Result<ToolContent> read_content(const nlohmann::json& block);

}  // namespace codebox::plugin
