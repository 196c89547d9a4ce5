#pragma once
#include <chrono>
#include <cstdint>

/// What the server and its plugin host child agree on.
namespace codebox::plugin {

inline constexpr int library_descriptor = 3;
inline constexpr int answer_descriptor = 4;
inline constexpr std::uint64_t largest_answer = 4u << 20;
inline constexpr std::chrono::seconds answer_within{10};
inline constexpr unsigned cpu_seconds = 5;
inline constexpr std::uint64_t address_space = 512u << 20;
inline constexpr unsigned open_files = 32;

}  // namespace codebox::plugin
