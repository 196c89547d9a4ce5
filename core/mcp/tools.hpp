#pragma once
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "base/caller.hpp"

namespace codebox::mcp {

struct ToolInfo {
  std::string name;
  std::string title;
  std::string description;
  std::string input_schema;  ///< a JSON object as text
  bool read_only = false;
};

struct Content {
  enum class Kind { text, image } kind = Kind::text;
  std::string data;       ///< text as UTF-8; an image as base64
  std::string mime_type;  ///< of an image: image/png, image/jpeg, image/gif or image/webp
};

struct ToolResult {
  std::vector<Content> content;
  bool is_error = false;
};

/// The tools of this server, as the protocol sees them. Any thread, concurrently.
class Tools {
 public:
  virtual ~Tools() = default;
  /// From memory, sorted by name; never touches an engine.
  virtual std::vector<ToolInfo> list() const = 0;
  virtual bool has(const std::string& name) const = 0;
  /// Blocks until the call is done or `cancel` fires.
  virtual ToolResult call(const std::string& name, const nlohmann::json& arguments, const Caller& caller,
                          std::stop_token cancel) = 0;
};

}  // namespace codebox::mcp
