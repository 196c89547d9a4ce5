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

/// One tool, as clients see it. Plain value.
struct ToolInfo {
  std::string name;                ///< [a-z][a-z0-9_]{0,47}
  std::string title;               ///< for people
  std::string description;         ///< for the model
  std::string input_schema;        ///< a JSON object as text
  bool read_only = false;          ///< it changes nothing
  std::string output_schema = {};  ///< the same, or empty
  std::string annotations = {};  ///< the protocol's hints as a JSON object, in place of `read_only`; or empty
};

/// One block of a result. Plain value.
struct Content {
  enum class Kind { text, image, audio, resource, link } kind = Kind::text;
  std::string data;              ///< text as UTF-8; an image, an audio and a blob as base64
  std::string mime_type;         ///< of an image: image/png, image/jpeg, image/gif or image/webp
  std::string uri = {};          ///< of a resource and a link
  std::string name = {};         ///< of a link
  std::string description = {};  ///< of a link, for people; may be empty
  bool blob = false;             ///< the resource is binary
};

/// An error of the protocol in place of a result. Plain value.
struct ToolError {
  int code = 0;
  std::string message;
  std::string data;  ///< JSON text, or empty
};

/// What a tool tells while it works. Plain value.
struct Notice {
  std::string level;      ///< of a log line, one of the protocol's; empty: it is progress
  double value = 0;       ///< rises from notice to notice
  double total = 0;       ///< 0: unknown
  std::string message;    ///< of progress; may be empty
  std::string logger;     ///< may be empty
  std::string data = {};  ///< of a log line, JSON text
};
using Tell = std::function<void(const Notice&)>;

/// A file that a call gave its caller. Plain value.
struct ToolFile {
  std::string name;
  std::string link;        ///< as it stands in the text: absolute, or a path of the caller's Open WebUI
  std::uint64_t size = 0;  ///< bytes
  bool picture = false;    ///< a browser shows it inline
};

/// What came of one call. Plain value.
struct ToolResult {
  std::vector<Content> content;
  bool is_error = false;    ///< nothing ran
  std::string reason = {};  ///< how it came out, a word of docs/results.md; empty: nothing to say
  int exit_status = 0;      ///< as Outcome::exit_status of the room run
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
