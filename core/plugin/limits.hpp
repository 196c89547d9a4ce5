#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

/// What the server and its plugin host child agree on: constants; docs/plugins.md and plugin.h have those
/// that authors meet.
namespace codebox::plugin {

inline constexpr int library_descriptor = 3;
inline constexpr int answer_descriptor = 4;
inline constexpr std::uint64_t largest_answer = 4u << 20;  ///< bytes of a descriptor as JSON
inline constexpr std::chrono::seconds answer_within{10};
inline constexpr unsigned cpu_seconds = 5;
inline constexpr std::uint64_t address_space = 512u << 20;  ///< bytes
inline constexpr unsigned open_files = 32;

/// Of one call of a tool.
inline constexpr std::uint64_t largest_arguments = 1u << 20;    ///< bytes of JSON
inline constexpr std::uint64_t largest_tool_answer = 8u << 20;  ///< bytes of all that it says
inline constexpr std::size_t most_blocks = 64;
inline constexpr std::size_t most_notices = 1000;           ///< progress and log lines; more are left out
inline constexpr std::size_t largest_log_data = 16u << 10;  ///< bytes of JSON; a larger line is left out
inline constexpr std::chrono::seconds leave_within{1};      ///< for a tool that nobody waits for any more

}  // namespace codebox::plugin
