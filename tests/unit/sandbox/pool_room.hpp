#pragma once
#include <condition_variable>
#include <set>

#include "sandbox/warm_pool.hpp"
#include "support/fake_clock.hpp"

/// A pool over sandboxes that are only counted. Each test owns one Room; its World may be asked on any
/// thread.
namespace pool_room {

using namespace codebox;
using namespace std::chrono_literals;
using sandbox::PoolOptions;
using sandbox::Preparation;
using sandbox::WarmPool;

// What happened to the sandboxes of a test. Any thread.
struct World {
  std::mutex mutex;
  std::condition_variable changed;
  int started = 0;
  int preloads = 0;
  bool starts_blocked = false;
  bool preloads_blocked = false;
  bool starts_fail = false;
  bool preloads_fail = false;
  bool removing = false;
  std::uint64_t process_bytes = 70 << 20;
  std::set<std::string> alive;
  std::set<std::string> dead;    // ended, and it can be seen
  std::set<std::string> silent;  // does not answer

  template <class Change>
  void change(Change make) {
    {
      const std::lock_guard lock(mutex);
      make();
    }
    changed.notify_all();
  }
  template <class Condition>
  bool wait(Condition condition) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, 20s, condition);
  }
  std::size_t living() {
    const std::lock_guard lock(mutex);
    return alive.size();
  }
};

class One : public sandbox::Sandbox {
 public:
  One(World& world, std::string id) : world_(world), id_(std::move(id)) {
    world_.change([&] { world_.alive.insert(id_); });
  }
  ~One() override {
    world_.change([&] { world_.alive.erase(id_); });
  }
  Result<void> put(const std::string& path, std::uint64_t, unsigned, ByteSource&, Time,
                   std::stop_token) override {
    files.push_back(path);
    return {};
  }
  sandbox::StepEnd step(const sandbox::Step&, sandbox::OutputSink&, std::stop_token) override { return {}; }
  Result<void> kill_all(Time) override { return {}; }
  void set_gate(egress::Gate*) override {}
  Result<sandbox::Listing> list(const std::vector<std::string>&, std::size_t, Time,
                                std::stop_token) override {
    return sandbox::Listing{};
  }
  Result<std::uint64_t> fetch(const std::string&, std::uint64_t, ByteSink&, Time, std::stop_token) override {
    return std::uint64_t{0};
  }
  Result<void> allow_install(bool) override { return {}; }
  const std::string& id() const override { return id_; }
  Result<std::uint64_t> preload(const sandbox::Step&, Time, std::stop_token cancel) override {
    const std::stop_callback wake(cancel, [this] { world_.changed.notify_all(); });
    std::unique_lock lock(world_.mutex);
    ++world_.preloads;
    world_.changed.notify_all();
    // The stop may come between the look and the wait, so it looks again now and then.
    while (world_.preloads_blocked && !cancel.stop_requested()) world_.changed.wait_for(lock, 20ms);
    if (cancel.stop_requested()) return Failure{Reason::cancelled, "cancelled"};
    if (world_.preloads_fail) return Failure{Reason::internal, "it ended before it was ready"};
    preloaded = true;
    return std::uint64_t{world_.process_bytes};
  }
  bool answers(Time) override {
    const std::lock_guard lock(world_.mutex);
    return !world_.silent.contains(id_);
  }
  bool has_ended() override {
    const std::lock_guard lock(world_.mutex);
    return world_.dead.contains(id_);
  }
  std::vector<std::string> files;
  bool preloaded = false;

 private:
  World& world_;
  const std::string id_;
};

class Starts : public sandbox::Sandboxes {
 public:
  explicit Starts(World& world) : world_(world) {}
  Result<std::unique_ptr<sandbox::Sandbox>> acquire(const engine::CreateSpec&, Time,
                                                    std::stop_token cancel) override {
    std::string id;
    {
      std::unique_lock lock(world_.mutex);
      id = std::to_string(++world_.started);
      world_.changed.notify_all();
      while (world_.starts_blocked && !cancel.stop_requested()) world_.changed.wait_for(lock, 20ms);
      if (cancel.stop_requested()) return Failure{Reason::cancelled, "cancelled"};
      if (world_.starts_fail) return Failure{Reason::engine, "the engine is away"};
    }
    return std::unique_ptr<sandbox::Sandbox>(std::make_unique<One>(world_, id));
  }
  bool removing() const override {
    const std::lock_guard lock(world_.mutex);
    return world_.removing;
  }

 private:
  World& world_;
};

struct Room {
  World world;
  test::FakeClock clock;
  engine::CreateSpec spec{"image", "lua", "", {}};
  Preparation preparation{"sha256:1", {{"/tmp/.support/a", "text"}}, {}};
  std::unique_ptr<WarmPool> pool;

  explicit Room(PoolOptions options = {}) {
    options.idle = 10min;
    options.always.insert("lua");
    pool = std::make_unique<WarmPool>(std::make_unique<Starts>(world), std::move(options), clock);
  }
  std::unique_ptr<sandbox::Sandbox> take() {
    auto got = pool->acquire_prepared(spec, preparation, std::chrono::steady_clock::now() + 20s, {});
    REQUIRE(got.ok());
    return std::move(got.value());
  }
  WarmPool::State state() const {
    const auto all = pool->state();
    return all.empty() ? WarmPool::State{} : all.front();
  }
  // Looks until it is so; the pool's thread is at work.
  template <class Condition>
  bool comes(Condition condition) const {
    for (const auto end = std::chrono::steady_clock::now() + 20s; std::chrono::steady_clock::now() < end;) {
      if (condition()) return true;
      std::this_thread::sleep_for(2ms);
    }
    return false;
  }
  bool waiting(std::size_t count) const {
    return comes([&] { return state().waiting == count; });
  }
};

}  // namespace pool_room
