#include "sandbox/warm_pool.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/log.hpp"

namespace codebox::sandbox {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds longest_start{60'000};
constexpr milliseconds longest_preload{60'000};
// An answer takes well under a millisecond; a machine under load may need its time.
constexpr milliseconds answer_time{250};
// One that still loads its process is let go at once; this is for a machine under load.
constexpr milliseconds letting_go{2000};
constexpr milliseconds between_looks{1000};
// Package sets that have a sandbox waiting, each one and only after somebody asked for it.
constexpr std::size_t most_layers = 4;
constexpr std::size_t most_of_a_layer = 1;
// A short program is over by then, and is not slowed down by the start of the sandbox after it.
constexpr milliseconds head_start{150};
// Memory that was short a moment ago is left to callers for a while.
constexpr milliseconds after_giving_way{5000};

std::string name_of(const engine::CreateSpec& spec) {
  return spec.language + ' ' + spec.image + ' ' + spec.layer;
}

Result<void> put_files(Sandbox& sandbox, const Preparation& preparation, const std::stop_token& stop) {
  const Time deadline = std::chrono::steady_clock::now() + longest_start;
  for (const auto& file : preparation.files) {
    TextBytes source(file.bytes);
    if (auto put = sandbox.put(file.path, file.bytes.size(), 0644, source, deadline, stop); !put) return put;
  }
  sandbox.set_prepared();
  return {};
}

}  // namespace

WarmPool::WarmPool(std::unique_ptr<Sandboxes> cold, PoolOptions options, const Clock& clock)
    : cold_(std::move(cold)), options_(std::move(options)), clock_(clock) {
  thread_ = std::jthread([this](const std::stop_token& stop) { refill(stop); });
}

WarmPool::~WarmPool() {
  thread_.request_stop();
  thread_.join();
}

std::size_t WarmPool::floor_of(const std::string& language) const {
  const auto own = options_.floors.find(language);
  return own == options_.floors.end() ? options_.floor : own->second;
}

bool WarmPool::from_the_start(const std::string& language) const {
  return options_.always.contains(language) || options_.floors.contains(language);
}

Result<std::unique_ptr<Sandbox>> WarmPool::acquire(const engine::CreateSpec& spec, Time deadline,
                                                   std::stop_token cancel) {
  {
    const std::lock_guard lock(mutex_);
    ++in_need_;
  }
  return start_cold(spec, deadline, std::move(cancel));
}

Result<std::unique_ptr<Sandbox>> WarmPool::start_cold(const engine::CreateSpec& spec, Time deadline,
                                                      std::stop_token cancel) {
  auto sandbox = cold_->acquire(spec, deadline, std::move(cancel));
  const std::lock_guard lock(mutex_);
  if (--in_need_ == 0) tell();
  return sandbox;
}

Result<std::unique_ptr<Sandbox>> WarmPool::acquire_prepared(const engine::CreateSpec& spec,
                                                            const Preparation& preparation, Time deadline,
                                                            std::stop_token cancel) {
  while (auto waiting = take_living(spec, preparation)) {
    const Time soon = std::chrono::steady_clock::now() + answer_time;
    if (waiting->answers(std::min(soon, deadline))) return std::unique_ptr<Sandbox>(std::move(waiting));
    log::debug("the waiting sandbox " + waiting->id() + " does not answer");
    const std::lock_guard lock(mutex_);
    discarded_.push_back(std::move(waiting));
    tell();
  }
  return start_cold(spec, deadline, std::move(cancel));
}

void WarmPool::expect(const engine::CreateSpec& spec, const Preparation& preparation) {
  const std::lock_guard lock(mutex_);
  // What waits with another image or of another plugin is never asked for again, also where a layer is on it.
  drop([&](const Shelf::Kind& kind) {
    return kind.spec.language == spec.language &&
           (kind.spec.image != spec.image || kind.preparation.image_id != preparation.image_id);
  });
  const bool known = shelves_.contains(name_of(spec));
  if ((known || from_the_start(spec.language)) && shelf_for(spec, preparation) != nullptr) tell();
}

void WarmPool::offer(const std::set<std::string>& languages) {
  const std::lock_guard lock(mutex_);
  drop([&](const Shelf::Kind& kind) { return !languages.contains(kind.spec.language); });
}

void WarmPool::drop(const std::function<bool(const Shelf::Kind&)>& useless) {
  for (auto at = shelves_.begin(); at != shelves_.end();) {
    if (!useless(at->second.kind())) {
      ++at;
      continue;
    }
    for (auto& old : at->second.clear()) discarded_.push_back(std::move(old));
    at = shelves_.erase(at);
    tell();
  }
}

Shelf* WarmPool::shelf_for(const engine::CreateSpec& spec, const Preparation& preparation) {
  const auto floor = floor_of(spec.language);
  if (floor == 0) return nullptr;
  Shelf::Kind kind{spec, preparation};
  const auto name = name_of(spec);
  auto at = shelves_.find(name);
  bool wanted = false;
  if (at != shelves_.end() && at->second.key() != kind.key()) {
    wanted = at->second.wanted(clock_.now());
    // The image or the plugin is another one now: nobody will ask for what waits.
    for (auto& old : at->second.clear()) discarded_.push_back(std::move(old));
    shelves_.erase(at);
    at = shelves_.end();
  }
  if (at == shelves_.end()) {
    const bool layered = !spec.layer.empty();
    if (layered && !room_for_layer()) return nullptr;
    Shelf::Bounds bounds{floor, options_.ceiling, options_.idle, options_.rest};
    if (from_the_start(spec.language)) bounds.rest.reset();
    if (layered) bounds = {0, most_of_a_layer, options_.idle, options_.rest};
    at = shelves_.emplace(name, Shelf(std::move(kind), bounds)).first;
    if (wanted && bounds.rest) at->second.asked(clock_.now());
  }
  return &at->second;
}

bool WarmPool::room_for_layer() {
  const auto now = clock_.now();
  std::erase_if(shelves_, [&](const auto& entry) {
    const Shelf& shelf = entry.second;
    return !shelf.kind().spec.layer.empty() && shelf.size() == 0 && shelf.target(now) == 0;
  });
  const auto layered = std::count_if(shelves_.begin(), shelves_.end(), [](const auto& entry) {
    return !entry.second.kind().spec.layer.empty();
  });
  return static_cast<std::size_t>(layered) < most_layers;
}

Shelf::Held WarmPool::take_living(const engine::CreateSpec& spec, const Preparation& preparation) {
  std::unique_lock lock(mutex_);
  auto* shelf = shelf_for(spec, preparation);
  if (shelf == nullptr) {
    ++in_need_;
    return nullptr;
  }
  shelf->asked(clock_.now());
  const auto name = name_of(spec);
  if (shelf->size() == 0 && preloading_ == name) {
    hurry_.request_stop();
    ++in_need_;
    changed_.wait_for(lock, letting_go, [&] { return preloading_ != name; });
    --in_need_;
    shelf = shelf_for(spec, preparation);
  }
  auto held = shelf->take();
  if (!held) {
    ++in_need_;
    return nullptr;
  }
  // Not prolonged by calls that come meanwhile, or many would leave nothing to take.
  const auto now = std::chrono::steady_clock::now();
  if (now >= calm_after_) calm_after_ = now + head_start;
  tell();
  return held;
}

void WarmPool::tell() {
  news_ = true;
  changed_.notify_all();
}

bool WarmPool::room_for(const Shelf& shelf) const {
  std::uint64_t held = shelf.bytes_of_one();
  for (const auto& [name, other] : shelves_) held += other.bytes();
  return held <= options_.memory && (!options_.available || held <= options_.available());
}

bool WarmPool::give_way(std::uint64_t bytes) {
  std::vector<Shelf::Held> given;
  {
    const std::lock_guard lock(mutex_);
    // What it starts itself is never worth another one that waits already.
    if (std::this_thread::get_id() == thread_.get_id()) return false;
    for (std::uint64_t freed = 0; freed < bytes;) {
      const auto most = std::max_element(shelves_.begin(), shelves_.end(), [](const auto& a, const auto& b) {
        return a.second.size() < b.second.size();
      });
      if (most == shelves_.end() || most->second.size() == 0) break;
      auto one = most->second.take_plain();
      given.push_back(one ? std::move(one) : most->second.take());
      freed += engine::memory_limit(most->second.kind().spec.limits, false);
    }
    if (!given.empty()) calm_after_ = std::chrono::steady_clock::now() + after_giving_way;
  }
  return !given.empty() || cold_->removing();
}

std::optional<WarmPool::Job> WarmPool::next_job() {
  if (in_need_ > 0 || std::chrono::steady_clock::now() < calm_after_) return std::nullopt;
  const auto now = clock_.now();
  Shelf* emptiest = nullptr;
  for (auto& [name, shelf] : shelves_) {
    if (shelf.size() >= shelf.target(now) || !shelf.starts.due(now) || !room_for(shelf)) continue;
    if (emptiest == nullptr || shelf.size() < emptiest->size()) emptiest = &shelf;
  }
  // First one that waits for each, then their processes, then more.
  if (emptiest == nullptr || emptiest->size() > 0) {
    for (auto& [name, shelf] : shelves_) {
      if (!shelf.kind().preloads() || !shelf.preloads.due(now)) continue;
      if (auto plain = shelf.take_plain()) {
        preloading_ = name;
        hurry_ = std::stop_source();
        return Job{name, shelf.key(), shelf.kind(), std::move(plain)};
      }
    }
  }
  if (emptiest == nullptr) return std::nullopt;
  return Job{name_of(emptiest->kind().spec), emptiest->key(), emptiest->kind(), nullptr};
}

void WarmPool::carry_out(Job& job, const std::stop_token& stop) {
  const auto& preparation = job.kind.preparation;
  if (job.sandbox) {
    const std::stop_callback also(stop, [this] { hurry_.request_stop(); });
    const Time deadline = std::chrono::steady_clock::now() + longest_preload;
    const auto loaded = job.sandbox->preload(preparation.waiting, deadline, hurry_.get_token());
    job.preloaded = loaded.ok();
    if (loaded) job.bytes = *loaded;
    if (loaded || loaded.failure().reason == Reason::cancelled) return;
    log::warn("No " + job.kind.spec.language +
              " process could be started ahead of calls: " + loaded.failure().message);
    job.trouble = loaded.failure().message;
    return;
  }
  auto sandbox = cold_->acquire(job.kind.spec, std::chrono::steady_clock::now() + longest_start, stop);
  auto put = sandbox ? put_files(**sandbox, preparation, stop) : Result<void>(sandbox.failure());
  if (put) {
    job.sandbox = std::move(*sandbox);
    return;
  }
  job.trouble = put.failure().message;
  if (!stop.stop_requested()) {
    log::warn("No " + job.kind.spec.language +
              " sandbox could be started ahead of calls: " + put.failure().message);
  }
}

void WarmPool::refill(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    for (auto& [name, shelf] : shelves_) {
      for (auto& over : shelf.cull(clock_.now())) discarded_.push_back(std::move(over));
    }
    std::vector<Shelf::Held> discarded;
    discarded.swap(discarded_);
    auto job = next_job();
    if (!job && discarded.empty()) {
      const auto calm = left(calm_after_);
      changed_.wait_for(lock, stop, calm.count() > 0 ? calm : between_looks, [this] { return news_; });
      news_ = false;
      continue;
    }
    lock.unlock();
    discarded.clear();
    const bool starts = job && !job->sandbox;
    if (job) carry_out(*job, stop);
    lock.lock();
    if (!job) continue;
    preloading_.clear();
    const auto at = shelves_.find(job->name);
    if (at == shelves_.end() || at->second.key() != job->key) {
      if (job->sandbox) discarded_.push_back(std::move(job->sandbox));
    } else {
      Attempts& attempts = starts ? at->second.starts : at->second.preloads;
      if (!job->trouble.empty()) {
        attempts.failed(clock_.now(), job->trouble);
      } else if (starts || job->preloaded) {
        attempts.succeeded();
      }
      if (job->preloaded) at->second.measured(job->bytes);
      if (job->sandbox && !job->sandbox->has_ended()) at->second.put(std::move(job->sandbox), job->preloaded);
      if (job->sandbox) discarded_.push_back(std::move(job->sandbox));
    }
    changed_.notify_all();
  }
}

std::vector<WarmPool::State> WarmPool::state() const {
  const std::lock_guard lock(mutex_);
  std::vector<State> all;
  for (const auto& [name, shelf] : shelves_) {
    const auto& spec = shelf.kind().spec;
    all.push_back({spec.language, spec.image, spec.layer, shelf.size(), shelf.preloaded(),
                   shelf.target(clock_.now()), shelf.bytes(), shelf.trouble()});
  }
  return all;
}

}  // namespace codebox::sandbox
