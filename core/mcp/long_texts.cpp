#include "mcp/long_texts.hpp"

#include <algorithm>

namespace codebox::mcp {
namespace {

// Shorter ones are parsed about as fast as they are looked for.
constexpr std::size_t least = 64U << 10;

struct End {
  std::size_t quote = std::string_view::npos;  ///< where the text ends; npos: nowhere
  bool escapes = false;
};

// Of the text that begins at `begin`, behind its first quote.
End end_of(std::string_view json, std::size_t begin) {
  End end{json.find('"', begin)};
  while (end.quote != std::string_view::npos) {
    const auto backslash = json.substr(0, end.quote).find('\\', begin);
    if (backslash == std::string_view::npos) break;
    end.escapes = true;
    begin = backslash + 2;
    if (begin > end.quote) end.quote = json.find('"', begin);
  }
  return end;
}

// The parser refuses them, so it has to see them. Counting is faster than looking for the first.
bool has_control(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20; }) > 0;
}

bool is_name(std::string_view json, std::size_t quote) {
  const auto next = json.find_first_not_of(" \t\r\n", quote + 1);
  return next != std::string_view::npos && json[next] == ':';
}

}  // namespace

LongTexts::LongTexts(std::string_view json) : json_(json) {
  if (json.size() < least) return;
  std::size_t copied = 0;
  std::size_t number = 0;
  for (auto at = json.find('"'); at != std::string_view::npos; ++number) {
    const std::size_t begin = at + 1;
    const End end = end_of(json, begin);
    if (end.quote == std::string_view::npos) break;
    at = json.find('"', end.quote + 1);
    const auto content = json.substr(begin, end.quote - begin);
    if (content.size() < least || end.escapes || is_name(json, end.quote) || has_control(content)) continue;
    rest_.append(json.substr(copied, begin - copied));
    texts_.push_back({number, rest_.size(), content});
    copied = end.quote;
  }
  if (!texts_.empty()) rest_.append(json.substr(copied));
}

std::optional<std::string_view> LongTexts::next() {
  const std::size_t number = asked_++;
  if (given_ == texts_.size() || texts_[given_].number != number) return std::nullopt;
  return texts_[given_++].content;
}

std::size_t LongTexts::place(std::size_t byte) const {
  std::size_t all = byte;
  for (const Text& text : texts_) all += byte > text.place ? text.content.size() : 0;
  return all;
}

}  // namespace codebox::mcp
