#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "sandbox/sandbox.hpp"

namespace codebox::run {

/// The head and the tail of one output stream, so that a flood costs a bounded amount of memory and what was
/// said before a sandbox died is still there. Owned by the kept output of a step; one thread.
class HeadAndTail {
 public:
  /// `limit` is how many bytes are kept, half of them from the head.
  explicit HeadAndTail(std::size_t limit) : half_(limit / 2) {}
  void write(std::string_view bytes);
  std::uint64_t total() const { return total_; }
  bool cut() const { return total_ > head_.size() + tail_size(); }
  /// Valid UTF-8; a cut falls between code points and is announced with both sizes.
  std::string text(bool* replaced) const;

 private:
  std::size_t tail_size() const { return wrapped_ ? half_ : tail_.size(); }
  std::string tail() const;

  std::size_t half_;
  std::uint64_t total_ = 0;
  std::string head_;
  std::string tail_;  // a ring of half_ bytes once it is full
  std::size_t next_ = 0;
  bool wrapped_ = false;
};

/// Keeps what one step prints, stdout and stderr apart. One thread.
class KeptOutput : public sandbox::OutputSink {
 public:
  explicit KeptOutput(std::size_t limit) : out(limit), err(limit) {}
  void write(sandbox::Output stream, std::string_view bytes) override {
    (stream == sandbox::Output::out ? out : err).write(bytes);
  }
  HeadAndTail out;
  HeadAndTail err;
};

}  // namespace codebox::run
