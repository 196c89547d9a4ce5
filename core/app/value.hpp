#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Values of settings as operators write them. Pure functions; nullopt where the text is no such value.
namespace codebox::app::value {

/// "500MB", "1GiB", "64 KB", "52428800": bytes. K, M and G are powers of 1024, with or without "iB" or "B".
std::optional<std::uint64_t> bytes(const std::string& text);
std::optional<std::uint64_t> whole(const std::string& text, std::uint64_t lowest, std::uint64_t highest);
std::optional<double> number(const std::string& text, double lowest, double highest);
/// true, yes, on, 1, or false, no, off, 0; without case.
std::optional<bool> boolean(const std::string& text);
/// Items between commas or blanks, none of them empty.
std::vector<std::string> list(const std::string& text);

}  // namespace codebox::app::value
