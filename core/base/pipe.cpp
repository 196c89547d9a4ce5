#include "base/pipe.hpp"

#include <algorithm>

namespace codebox {
namespace {

constexpr std::size_t room = 256 * 1024;

Failure cancelled() {
  return {Reason::cancelled, "The call was cancelled."};
}

}  // namespace

Result<void> Pipe::write(std::string_view bytes) {
  std::unique_lock lock(mutex_);
  while (!bytes.empty()) {
    if (!changed_.wait(lock, cancel_, [&] { return failure_ || held_.size() < room; })) return cancelled();
    if (failure_) return *failure_;
    const std::size_t part = std::min(bytes.size(), room - held_.size());
    held_.append(bytes.substr(0, part));
    bytes.remove_prefix(part);
    changed_.notify_all();
  }
  return {};
}

Result<std::size_t> Pipe::read(std::span<char> into) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait(lock, cancel_, [&] { return failure_ || finished_ || !held_.empty(); }))
    return cancelled();
  if (failure_) return *failure_;
  const std::size_t part = std::min(into.size(), held_.size());
  std::copy_n(held_.begin(), part, into.begin());
  held_.erase(0, part);
  changed_.notify_all();
  return part;
}

void Pipe::finish(std::optional<Failure> failure) {
  const std::lock_guard lock(mutex_);
  finished_ = true;
  if (failure && !failure_) failure_ = std::move(failure);
  changed_.notify_all();
}

void Pipe::abandon(Failure failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
  changed_.notify_all();
}

}  // namespace codebox
