#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
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
  std::string output_schema = {};  ///< the same, or empty
  std::string annotations = {};  ///< the protocol's hints as a JSON object, in place of `read_only`; or empty
};

struct Content {
  enum class Kind { text, image, audio, resource, link } kind = Kind::text;
  std::string data;       ///< text as UTF-8; an image, an audio and a blob as base64
  std::string mime_type;  ///< of an image: image/png, image/jpeg, image/gif or image/webp
  std::string uri = {};   ///< of a resource and a link
  std::string name = {};  ///< of a link
  std::string description = {};
  bool blob = false;  ///< the resource is binary
};

/// An error of the protocol in place of a result.
struct ToolError {
  int code = 0;
  std::string message;
  std::string data;  ///< JSON text, or empty
};

/// What a tool tells while it works.
struct Notice {
  std::string level;      ///< of a log line, one of the protocol's; empty: it is progress
  double value = 0;       ///< rises from notice to notice
  double total = 0;       ///< 0: unknown
  std::string message;    ///< of progress; may be empty
  std::string logger;     ///< may be empty
  std::string data = {};  ///< of a log line, JSON text
};
using Tell = std::function<void(const Notice&)>;

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
  std::string structured = {};  ///< JSON text of an object, or empty
  std::optional<ToolError> error = {};
};

/// The tools of this server, as the protocol sees them. Any thread, concurrently.
class Tools {
 public:
  virtual ~Tools() = default;
  /// From memory, sorted by name; never touches an engine.
  virtual std::vector<ToolInfo> list() const = 0;
  /// Another number whenever list() may give something else than before; 0 where nobody counts.
  virtual std::uint64_t edition() const { return 0; }
  virtual bool has(const std::string& name) const = 0;
  /// Of one tool, without the others being copied; empty where there is no such tool.
  virtual std::string input_schema(const std::string& name) const = 0;
  /// Blocks until the call is done or `cancel` fires. `tell` is called from this thread while it works.
  virtual ToolResult call(const std::string& name, nlohmann::json arguments, const Caller& caller,
                          std::stop_token cancel, const Tell& tell) = 0;
};

/// "the tools are a, b.", for whoever asked for one that is not there.
std::string offered(const Tools& tools);

}  // namespace codebox::mcp
