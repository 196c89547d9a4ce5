#pragma once
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "base/bytes.hpp"

namespace codebox {

/// Joins one side that pushes bytes with one that pulls them, holding at most some hundred KiB. Exactly one
/// writing and one reading thread. Either side may give up; the other then gets that failure instead of
/// waiting.
class Pipe : public ByteSink, public ByteSource {
 public:
  explicit Pipe(std::stop_token cancel) : cancel_(std::move(cancel)) {}

  /// Waits for room. Fails once the reader gave up or the call was cancelled.
  Result<void> write(std::string_view bytes) override;
  /// Waits for bytes; 0 after finish(). Fails with the writer's failure.
  Result<std::size_t> read(std::span<char> into) override;

  /// The writing side has no more; with a failure: cannot go on.
  void finish(std::optional<Failure> failure = std::nullopt);
  /// The reading side takes no more.
  void abandon(Failure failure);

 private:
  std::stop_token cancel_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string held_;
  bool finished_ = false;
  std::optional<Failure> failure_;
};

}  // namespace codebox
