#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Bytes as text and back: hexadecimal digits, base64, percent-encoding. Pure functions; any thread.
namespace codebox::encoding {

std::string to_hex(std::string_view bytes);  ///< lower case
std::string to_hex(std::span<const std::uint8_t> bytes);
/// Nothing where `text` is not pairs of digits, in either case.
std::optional<std::string> from_hex(std::string_view text);

std::string to_base64(std::string_view bytes);
/// Canonical base64 alone: with its padding and with unused bits that are zero, so that each value has one
/// text.
std::optional<std::string> from_base64(std::string_view text);
/// The same for the alphabet of URLs, without padding.
std::optional<std::string> from_base64url(std::string_view text);

/// Every byte outside of letters, digits and "-._~" as %XX.
std::string to_percent(std::string_view bytes);
/// The reverse; ill-formed escapes stay as they are.
std::string from_percent(std::string_view text);

}  // namespace codebox::encoding
