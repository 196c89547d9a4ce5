#include "base/encoding.hpp"

#include <array>

namespace codebox::encoding {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view url_alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// No letter: a bit that no value has, so that one look tells whether all of a group are letters.
constexpr std::uint32_t foreign = 0x80;

// The value of each byte as a letter of an alphabet.
using Values = std::array<std::uint8_t, 256>;

constexpr Values values_of(std::string_view letters) {
  Values values{};
  values.fill(foreign);
  for (std::size_t i = 0; i < letters.size(); ++i)
    values[static_cast<unsigned char>(letters[i])] = static_cast<std::uint8_t>(i);
  return values;
}

constexpr Values plain_values = values_of(alphabet);
constexpr Values url_values = values_of(url_alphabet);

std::optional<std::string> sextets(std::string_view text, const Values& values) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string out(text.size() * 3 / 4, '\0');
  const auto value = [&](std::size_t i) {
    return static_cast<std::uint32_t>(values[static_cast<unsigned char>(text[i])]);
  };
  const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits & 0xFFU); };
  std::size_t at = 0;
  char* to = out.data();
  for (; text.size() - at >= 4; at += 4) {
    const std::uint32_t a = value(at), b = value(at + 1), c = value(at + 2), d = value(at + 3);
    if (((a | b | c | d) & foreign) != 0) return std::nullopt;
    *to++ = byte(a << 2U | b >> 4U);
    *to++ = byte(b << 4U | c >> 2U);
    *to++ = byte(c << 6U | d);
  }
  if (at == text.size()) return out;
  const std::uint32_t a = value(at), b = value(at + 1), c = at + 2 < text.size() ? value(at + 2) : 0;
  if (((a | b | c) & foreign) != 0) return std::nullopt;
  const bool one_byte = at + 2 == text.size();
  if ((one_byte ? b & 15U : c & 3U) != 0) return std::nullopt;
  *to++ = byte(a << 2U | b >> 4U);
  if (!one_byte) *to = byte(b << 4U | c >> 2U);
  return out;
}

int nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  return to_hex(std::string(bytes.begin(), bytes.end()));
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string out;
  out.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = nibble(text[i]), low = nibble(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
  }
  return out;
}

std::string to_base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4, '=');
  char* to = out.data();
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = bytes.size() - i < 3 ? bytes.size() - i : 3;
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8U | (j < have ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j <= have; ++j) to[j] = alphabet[group >> (18U - 6U * j) & 63U];
    to += 4;
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  return sextets(text, plain_values);
}

std::optional<std::string> from_base64url(std::string_view text) {
  return sextets(text, url_values);
}

std::string to_percent(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view marks = "-._~";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || marks.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return out;
}

std::string from_percent(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size();
    const int high = escape ? nibble(text[i + 1]) : -1, low = escape ? nibble(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      out += text[i];
    } else {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

}  // namespace codebox::encoding
