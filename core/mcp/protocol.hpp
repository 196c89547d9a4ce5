#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

/// What both eras of the protocol share: dates, codes and the shape of an answer. Pure; any thread.
namespace codebox::mcp {

inline constexpr std::string_view modern_version = "2026-07-28";
inline constexpr std::array<std::string_view, 4> legacy_versions = {"2024-11-05", "2025-03-26", "2025-06-18",
                                                                    "2025-11-25"};

inline bool is_legacy(std::string_view version) {
  return std::find(legacy_versions.begin(), legacy_versions.end(), version) != legacy_versions.end();
}

inline constexpr const char* meta_version = "io.modelcontextprotocol/protocolVersion";
inline constexpr const char* meta_capabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr const char* meta_log_level = "io.modelcontextprotocol/logLevel";
inline constexpr const char* meta_progress_token = "progressToken";
inline constexpr const char* meta_server = "io.modelcontextprotocol/serverInfo";
/// Ours, in the result of a call: a word of docs/results.md.
inline constexpr const char* meta_reason = "codebox/reason";

/// Codes of errors: those of JSON-RPC 2.0 (section 5.1), and from -32020 on of MCP's newest era;
/// docs/results.md tells when each comes.
namespace code {
inline constexpr int parse = -32700;
inline constexpr int invalid_request = -32600;
inline constexpr int no_method = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal = -32603;
inline constexpr int cancelled = -32800;
inline constexpr int header_mismatch = -32020;
inline constexpr int missing_capability = -32021;
inline constexpr int unsupported_version = -32022;
}  // namespace code

/// The eight levels of a log message, the least first.
inline constexpr std::array<std::string_view, 8> log_levels = {"debug", "info",     "notice", "warning",
                                                               "error", "critical", "alert",  "emergency"};
inline bool is_log_level(std::string_view level) {
  return std::find(log_levels.begin(), log_levels.end(), level) != log_levels.end();
}

/// What a method answers, before it gets its id. Either `result` or `code` and `message`.
struct Reply {
  int status = 200;     ///< HTTP's
  std::string result;   ///< JSON text
  int code = 0;         ///< of the error; 0 when there is a result
  std::string message;  ///< of the error
  std::string data;     ///< JSON text, or empty
};

Reply success(std::string result);
Reply error(int status, int code, std::string message, std::string data = {});

/// The JSON-RPC object for `reply`; `id` is JSON text.
std::string envelope(const std::string& id, const Reply& reply);

}  // namespace codebox::mcp
