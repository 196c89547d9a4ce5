#include "sandbox/admission.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/text.hpp"

namespace codebox::sandbox {
namespace {

// Of a sandbox whose memory another one waits for.
constexpr std::chrono::seconds longest_removal{5};

}  // namespace

Result<std::uint64_t> Admission::total() {
  {
    const std::lock_guard lock(mutex_);
    if (total_ > 0) return std::uint64_t{total_};
  }
  const auto info = behind_.info();
  if (!info) return info.failure();
  const std::lock_guard lock(mutex_);
  // An engine that does not say what it has is not held to it.
  if (total_ == 0) total_ = info->memory > 0 ? info->memory / 10 * 9 : ~std::uint64_t{0};
  return std::uint64_t{total_};
}

bool Admission::try_promise(std::uint64_t bytes, std::uint64_t total) {
  const std::lock_guard lock(mutex_);
  if (promised_ > total || bytes > total - promised_) return false;
  promised_ += bytes;
  return true;
}

Result<void> Admission::promise(std::uint64_t bytes, const std::string& what, const std::stop_token& cancel) {
  const auto total = this->total();
  if (!total) return total.failure();
  if (try_promise(bytes, *total)) return {};
  remove_leftovers();
  if (try_promise(bytes, *total)) return {};
  std::unique_lock lock(mutex_);
  if (bytes <= *total && give_way_) {
    const auto missing = bytes - std::min(bytes, *total - std::min(promised_, *total));
    lock.unlock();
    const bool some = give_way_(missing);
    lock.lock();
    const auto fits = [&] { return promised_ <= *total && bytes <= *total - promised_; };
    // What was being removed may be gone by now.
    if (some ? released_.wait_for(lock, cancel, longest_removal, fits) : fits()) {
      promised_ += bytes;
      return {};
    }
    if (cancel.stop_requested()) return Failure{Reason::cancelled, "The call was cancelled."};
  }
  if (bytes > *total) {
    return Failure{Reason::capacity,
                   what + " needs " + text::size(bytes) + " of memory, more than the " + text::size(*total) +
                       " for all sandboxes (SANDBOX_MAX_TOTAL_MEMORY): lower SANDBOX_MAX_MEMORY, "
                       "SANDBOX_MAX_DISK or SANDBOX_MAX_INSTALL."};
  }
  return Failure{Reason::capacity, "No memory is left now: of the " + text::size(*total) +
                                       " for all sandboxes " + text::size(promised_) + " are promised and " +
                                       text::lower(what) + " needs " + text::size(bytes) +
                                       ". Try again in 5 seconds."};
}

void Admission::release(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  promised_ -= bytes;
  released_.notify_all();
}

Result<engine::Container> Admission::start(const engine::CreateSpec& spec, std::stop_token cancel) {
  const auto bytes = engine::memory_limit(spec.limits, !engine::adjustable(spec.runtime));
  if (auto promised = promise(bytes, "A sandbox", cancel); !promised) return promised.failure();
  auto container = behind_.start(spec, std::move(cancel));
  if (!container) {
    release(bytes);
    return container;
  }
  const std::lock_guard lock(mutex_);
  held_[container->id] = {bytes, engine::adjustable(spec.runtime)};
  return container;
}

Result<void> Admission::set_memory(const std::string& id, std::uint64_t bytes) {
  std::uint64_t before = 0;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = held_.find(id); found != held_.end() && found->second.adjustable)
      before = found->second.bytes;
  }
  if (before == 0) return behind_.set_memory(id, bytes);
  if (bytes > before) {
    if (auto promised = promise(bytes - before, "Installing packages", {}); !promised) return promised;
  }
  auto set = behind_.set_memory(id, bytes);
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(id);
  // One thread at a time uses a sandbox, but it may have been removed from outside meanwhile.
  if (set && found != held_.end()) {
    if (bytes < before) promised_ -= before - bytes;
    released_.notify_all();
    found->second.bytes = bytes;
  } else if (bytes > before) {
    promised_ -= bytes - before;
  }
  return set;
}

Result<void> Admission::remove(const std::string& id) {
  auto removed = behind_.remove(id);
  const std::lock_guard lock(mutex_);
  if (!removed) {
    if (held_.contains(id)) leftovers_.insert(id);
    return removed;
  }
  leftovers_.erase(id);
  if (const auto found = held_.find(id); found != held_.end()) {
    promised_ -= found->second.bytes;
    held_.erase(found);
    released_.notify_all();
  }
  return removed;
}

void Admission::remove_leftovers() {
  std::vector<std::string> ids;
  {
    const std::lock_guard lock(mutex_);
    ids.assign(leftovers_.begin(), leftovers_.end());
  }
  for (const auto& id : ids) (void)remove(id);
}

std::uint64_t Admission::promised() const {
  const std::lock_guard lock(mutex_);
  return promised_;
}

std::uint64_t Admission::available() const {
  const std::lock_guard lock(mutex_);
  return total_ > promised_ ? total_ - promised_ : 0;
}

}  // namespace codebox::sandbox
