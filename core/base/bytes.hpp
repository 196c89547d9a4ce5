#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "base/result.hpp"

namespace codebox {

/// Gives bytes piece by piece, so that a file never stands in memory as a whole. One thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills part of `into`, which is not empty, and says how many bytes; 0 is the end.
  virtual Result<std::size_t> read(std::span<char> into) = 0;
};

/// Gives the bytes of a text, which outlives it. One thread at a time.
class TextBytes : public ByteSource {
 public:
  explicit TextBytes(std::string_view text) : text_(text) {}
  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t part = std::min(into.size(), text_.size());
    std::copy_n(text_.begin(), part, into.begin());
    text_.remove_prefix(part);
    return part;
  }

 private:
  std::string_view text_;
};

/// Takes bytes piece by piece. A failure ends the transfer. One thread at a time.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Result<void> write(std::string_view bytes) = 0;
};

}  // namespace codebox
