#include "sandbox/shelf.hpp"

#include <algorithm>

#include "sandbox/frames.hpp"

namespace codebox::sandbox {
namespace {

// Calls within this time would find nothing that was started for the first of them.
constexpr std::chrono::seconds together{2};

// What one that waits takes of the host beside its process: an agent, its files, and the engine's own process
// for it (measured: 12 to 17 MiB with Docker).
constexpr std::uint64_t sandbox_bytes = 24ULL << 20;
constexpr std::uint64_t least_process = 1ULL << 20;

Shelf::Held pop(std::deque<Shelf::Held>& from) {
  if (from.empty()) return nullptr;
  auto held = std::move(from.front());
  from.pop_front();
  return held;
}

}  // namespace

std::string Shelf::Kind::key() const {
  const auto& limits = spec.limits;
  frames::Writer out;
  out.text(spec.image).text(spec.language).text(spec.runtime).text(spec.network).text(preparation.image_id);
  out.text(spec.layer);
  out.u64(limits.memory).u64(limits.disk).u64(limits.install).text(std::to_string(limits.cpus));
  out.u64(static_cast<std::uint64_t>(limits.pids)).u32(frames::version);
  for (const auto& file : preparation.files) out.text(file.path).text(file.bytes);
  out.texts(preparation.waiting.argv).texts(preparation.waiting.env).text(preparation.waiting.cwd);
  return out.take();
}

std::uint64_t Shelf::bytes() const {
  return size() * sandbox_bytes + ready_.size() * process_bytes_;
}

std::uint64_t Shelf::bytes_of_one() const {
  return sandbox_bytes + (kind_.preloads() ? process_bytes_ : 0);
}

void Shelf::measured(std::uint64_t process_bytes) {
  if (process_bytes > 0) process_bytes_ = std::clamp(process_bytes, least_process, kind_.spec.limits.memory);
}

void Shelf::asked(Time now) {
  last_ = now;
  recent_.push_back(now);
  while (recent_.front() + together < now) recent_.pop_front();
  // More than the ceiling tells nothing.
  while (recent_.size() > bounds_.ceiling + 1) recent_.pop_front();
  if (recent_.size() < peak_ && now < peak_at_ + bounds_.idle) return;
  peak_ = recent_.size();
  peak_at_ = now;
}

bool Shelf::wanted(Time now) const {
  return !bounds_.rest || (last_ && now < *last_ + *bounds_.rest);
}

std::size_t Shelf::target(Time now) const {
  const auto peak = now < peak_at_ + bounds_.idle ? peak_ : 0;
  const auto floor = wanted(now) ? bounds_.floor : 0;
  return std::clamp(2 * peak, floor, std::max(bounds_.floor, bounds_.ceiling));
}

void Shelf::put(Held sandbox, bool preloaded) {
  (preloaded ? ready_ : plain_).push_back(std::move(sandbox));
}

Shelf::Held Shelf::take() {
  auto held = pop(ready_);
  return held ? std::move(held) : pop(plain_);
}

Shelf::Held Shelf::take_plain() {
  return pop(plain_);
}

std::vector<Shelf::Held> Shelf::cull(Time now) {
  std::vector<Held> out;
  for (auto* waiting : {&ready_, &plain_}) {
    for (auto at = waiting->begin(); at != waiting->end();) {
      if ((*at)->has_ended()) {
        out.push_back(std::move(*at));
        at = waiting->erase(at);
      } else {
        ++at;
      }
    }
  }
  const auto enough = target(now);
  while (size() > enough) out.push_back(plain_.empty() ? pop(ready_) : pop(plain_));
  return out;
}

std::vector<Shelf::Held> Shelf::clear() {
  std::vector<Held> out;
  while (size() > 0) out.push_back(take());
  return out;
}

}  // namespace codebox::sandbox
