#include "base/text.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>

namespace codebox::text {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

bool between(unsigned char c, unsigned low, unsigned high) {
  return c >= low && c <= high;
}

// Length of the well-formed sequence at the start of `s`, or 0; then `*bad` is the length of the maximal
// subpart to replace (Unicode table 3-7).
std::size_t sequence(std::string_view s, std::size_t* bad) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  *bad = 1;
  const unsigned char first = at(0);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  unsigned low = 0x80;
  unsigned high = 0xBF;
  if (between(first, 0xC2, 0xDF)) {
    length = 2;
  } else if (between(first, 0xE0, 0xEF)) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (between(first, 0xF0, 0xF4)) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (i >= s.size() || !between(at(i), low, high)) {
      *bad = i;
      return 0;
    }
    low = 0x80;
    high = 0xBF;
  }
  return length;
}

// How many bytes at the start of `s` are ASCII, as far as whole words of them go.
std::size_t ascii(std::string_view s) {
  std::size_t at = 0;
  for (std::uint64_t word = 0; s.size() - at >= sizeof word; at += sizeof word) {
    std::memcpy(&word, s.data() + at, sizeof word);
    if ((word & 0x8080808080808080U) != 0) break;
  }
  return at;
}

}  // namespace

std::string to_utf8(std::string_view bytes, bool* replaced) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    std::size_t bad = 0;
    std::size_t good = ascii(bytes);
    if (good == 0) good = sequence(bytes, &bad);
    if (good > 0) {
      out.append(bytes.substr(0, good));
      bytes.remove_prefix(good);
    } else {
      out.append(replacement);
      if (replaced) *replaced = true;
      bytes.remove_prefix(bad);
    }
  }
  return out;
}

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    std::size_t bad = 0;
    std::size_t good = ascii(bytes);
    if (good == 0) good = sequence(bytes, &bad);
    if (good == 0) return false;
    bytes.remove_prefix(good);
  }
  return true;
}

std::string_view prefix(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

std::string_view suffix(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t from = text.size() - bytes;
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80) ++from;
  return text.substr(from);
}

std::string one_line(std::string_view text) {
  std::string out = to_utf8(text);
  for (char& c : out) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) c = ' ';
  }
  return out;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : to_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string quoted(std::string_view text, std::size_t limit) {
  const std::string line = one_line(text);
  const std::string_view shown = prefix(line, limit);
  return '"' + std::string(shown) + (shown.size() < line.size() ? "...\"" : "\"");
}

std::string size(std::uint64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  auto amount = static_cast<double>(bytes);
  while (amount >= 1023.95 && unit < 3) {  // what would be shown as 1024.0 is 1 of the next unit
    amount /= 1024;
    ++unit;
  }
  char out[32];
  const bool whole = static_cast<double>(static_cast<std::uint64_t>(amount)) == amount;
  std::snprintf(out, sizeof out, whole ? "%.0f %s" : "%.1f %s", amount, units[unit]);
  return out;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n\f\v";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool matches(std::string_view glob, std::string_view text) {
  std::size_t g = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  while (t < text.size()) {
    if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t]) && glob[g] != '*') {
      ++g;
      ++t;
    } else if (g < glob.size() && glob[g] == '*') {
      star = g++;
      retry = t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

bool numbers_before(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  // The digits at the start without leading zeros, taken off.
  const auto take_number = [&](std::string_view& text) {
    std::size_t end = 0;
    while (end < text.size() && is_digit(text[end])) ++end;
    std::string_view number = text.substr(0, end);
    text.remove_prefix(end);
    while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
    return number;
  };
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto first = take_number(a);
      const auto second = take_number(b);
      if (first.size() != second.size()) return first.size() < second.size();
      if (first != second) return first < second;
    } else {
      if (a.front() != b.front())
        return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front());
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.empty() && !b.empty();
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

}  // namespace codebox::text
