#pragma once
#include <cstdint>
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

/// A file that a call gave its caller.
struct ToolFile {
  std::string name;
  std::string link;  ///< as it stands in the text: absolute, or a path of the caller's Open WebUI
  std::uint64_t size = 0;
  bool picture = false;
};

struct ToolResult {
  std::vector<Content> content;
  bool is_error = false;
  std::string reason = {};  ///< how it came out, a word of docs/results.md; empty: nothing to say
  int exit_status = 0;
  std::vector<ToolFile> files = {};
  /// The sentence, where the call was not taken up at all: wrong arguments, no quota. The content says it
  /// too.
  std::string refusal = {};
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

/// "the tools are a, b.", for whoever asked for one that is not there.
std::string offered(const Tools& tools);

}  // namespace codebox::mcp
