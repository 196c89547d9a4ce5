#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Values of settings as operators write them. Pure functions; nullopt where the text is no such value.
namespace codebox::app::value {

/// No size is larger; every double up to it is a whole number of bytes.
inline constexpr std::uint64_t most_bytes = 1'000'000'000'000'000;
/// "500MB", "1GiB", "64 KB", "52428800": bytes. K, M and G are powers of 1024, with or without "iB" or "B".
std::optional<std::uint64_t> bytes(const std::string& text);
std::optional<std::uint64_t> whole(const std::string& text, std::uint64_t lowest, std::uint64_t highest);
std::optional<double> number(const std::string& text, double lowest, double highest);
/// true, yes, on, 1, or false, no, off, 0; without case.
std::optional<bool> boolean(const std::string& text);
/// Items between commas or blanks, none of them empty.
std::vector<std::string> list(const std::string& text);

/// "https://chat.example.com/some/path": http or https, a host, perhaps a port and a path; no user, no query.
bool is_url(std::string_view text);
/// "https://chat.example.com", "app://name": a scheme, a host, perhaps a port, or "*" for every origin.
bool is_origin(std::string_view text);
/// "cdn.example.com", "*.example.com", each with an optional port; no address of IPv6.
bool is_host_pattern(std::string_view text);

}  // namespace codebox::app::value
