#include "run/output.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace codebox::run {

void HeadAndTail::write(std::string_view bytes) {
  total_ += bytes.size();
  if (head_.size() < half_) {
    const std::size_t part = std::min(bytes.size(), half_ - head_.size());
    head_.append(bytes.substr(0, part));
    bytes.remove_prefix(part);
  }
  if (bytes.size() > half_) bytes.remove_prefix(bytes.size() - half_);
  if (!wrapped_ && tail_.size() < half_) {
    const std::size_t part = std::min(bytes.size(), half_ - tail_.size());
    tail_.append(bytes.substr(0, part));
    bytes.remove_prefix(part);
    if (tail_.size() == half_) wrapped_ = true;
  }
  while (!bytes.empty()) {
    const std::size_t part = std::min(bytes.size(), half_ - next_);
    std::copy_n(bytes.begin(), part, tail_.begin() + static_cast<std::ptrdiff_t>(next_));
    bytes.remove_prefix(part);
    next_ = (next_ + part) % half_;
  }
}

std::string HeadAndTail::tail() const {
  return wrapped_ ? tail_.substr(next_) + tail_.substr(0, next_) : tail_;
}

std::string HeadAndTail::text(bool* replaced) const {
  if (!cut()) return text::to_utf8(head_ + tail(), replaced);
  // A code point that the cut divides is left out on both sides, instead of turning into U+FFFD.
  const auto continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  std::string head = head_;
  std::size_t back = 0;
  while (back < 3 && back < head.size() && continuation(head[head.size() - 1 - back])) ++back;
  if (back < head.size()) {
    const auto lead = static_cast<unsigned char>(head[head.size() - 1 - back]);
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (length > back + 1) head.resize(head.size() - 1 - back);
  }
  std::string end = tail();
  std::size_t skip = 0;
  while (skip < 3 && skip < end.size() && continuation(end[skip])) ++skip;
  end.erase(0, skip);
  return text::to_utf8(head, replaced) + "\n[... " + text::size(total_ - head.size() - end.size()) + " of " +
         text::size(total_) + " left out here ...]\n" + text::to_utf8(end, replaced);
}

}  // namespace codebox::run
