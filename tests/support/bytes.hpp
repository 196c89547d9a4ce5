#pragma once
#include <algorithm>
#include <string>

#include "base/bytes.hpp"

namespace codebox::support {

/// Gives a text, at most `piece` bytes at a time.
class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string text, std::size_t piece = 65536) : text_(std::move(text)), piece_(piece) {}
  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t count = std::min({into.size(), piece_, text_.size() - at_});
    std::copy_n(text_.begin() + static_cast<std::ptrdiff_t>(at_), count, into.begin());
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t piece_;
  std::size_t at_ = 0;
};

/// Keeps what comes.
class TextSink : public ByteSink {
 public:
  Result<void> write(std::string_view bytes) override {
    text.append(bytes);
    return {};
  }
  std::string text;
};

}  // namespace codebox::support
