#pragma once
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sandbox/shelf.hpp"

namespace codebox::sandbox {

/// What an operator and the host allow the pool.
struct PoolOptions {
  std::size_t floor = 2;                      ///< sandboxes that wait for a language in use; 0: none ever
  std::map<std::string, std::size_t> floors;  ///< language id -> its own floor, which waits from the start
  std::set<std::string> always;               ///< languages whose floor waits from the start, too
  std::chrono::milliseconds rest{3'600'000};  ///< a language without a call for so long has none waiting
  std::size_t ceiling = 8;                    ///< however many calls come
  std::chrono::milliseconds idle{600'000};    ///< after this without demand, the floor is enough
  std::uint64_t memory = 1ULL << 30;          ///< bytes that all who wait may hold together
  /// Bytes of memory that this host can still give; the pool never holds more than the same again.
  std::function<std::uint64_t()> available;
};

/// Gives a sandbox that waits already, where there is one, and a cold one otherwise. Each is used once. One
/// thread of its own starts the next ones, one at a time and only while no caller is waiting for a cold
/// start. What waits makes room for callers where memory is short. Owned by app; any thread.
class WarmPool : public Sandboxes {
 public:
  struct State {
    std::string language;
    std::string image;
    std::string layer;  ///< key of the package layer, or empty
    std::size_t waiting = 0;
    std::size_t preloaded = 0;  ///< of them
    std::size_t target = 0;
    std::uint64_t bytes = 0;  ///< of memory that they hold, as measured
    std::string trouble;      ///< why the last start failed, or its process; empty after one that did not
  };

  WarmPool(std::unique_ptr<Sandboxes> cold, PoolOptions options, const Clock& clock);
  /// Ends what waits and what is being started.
  ~WarmPool() override;

  Result<std::unique_ptr<Sandbox>> acquire(const engine::CreateSpec& spec, Time deadline,
                                           std::stop_token cancel) override;
  Result<std::unique_ptr<Sandbox>> acquire_prepared(const engine::CreateSpec& spec,
                                                    const Preparation& preparation, Time deadline,
                                                    std::stop_token cancel) override;
  void expect(const engine::CreateSpec& spec, const Preparation& preparation) override;
  /// What waits for other languages is of no use any more.
  void offer(const std::set<std::string>& languages);
  std::vector<State> state() const;
  /// Gives up sandboxes that wait until so many bytes of their memory limits come free or none is left, and
  /// says whether any will, also of used ones that are being removed.
  bool give_way(std::uint64_t bytes);

 private:
  struct Job {
    std::string name;  ///< of the shelf
    std::string key;
    Shelf::Kind kind;
    Shelf::Held sandbox;  ///< null: to be started
    bool preloaded = false;
    std::uint64_t bytes = 0;  ///< that its process holds
    std::string trouble{};    ///< empty where nothing failed; a caller who hurries it is no failure
  };

  Shelf* shelf_for(const engine::CreateSpec& spec, const Preparation& preparation);
  /// Whether one more package layer may have sandboxes that wait; makes room where one has none any more.
  bool room_for_layer();
  std::size_t floor_of(const std::string& language) const;
  /// Whether it has sandboxes waiting before anybody asked for one.
  bool from_the_start(const std::string& language) const;
  /// Ends what waits on the shelves for which `useless` holds.
  void drop(const std::function<bool(const Shelf::Kind&)>& useless);
  /// One that waits; with null, the caller is counted in need.
  Shelf::Held take_living(const engine::CreateSpec& spec, const Preparation& preparation);
  void tell();
  /// For a caller who is counted in need already.
  Result<std::unique_ptr<Sandbox>> start_cold(const engine::CreateSpec& spec, Time deadline,
                                              std::stop_token cancel);
  bool room_for(const Shelf& shelf) const;
  std::optional<Job> next_job();
  void refill(const std::stop_token& stop);
  void carry_out(Job& job, const std::stop_token& stop);

  const std::unique_ptr<Sandboxes> cold_;
  const PoolOptions options_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, Shelf> shelves_;
  std::vector<Shelf::Held> discarded_;  ///< to be destroyed where no lock is held
  bool news_ = false;                   ///< something to look at, for the thread
  std::size_t in_need_ = 0;             ///< callers that wait for a sandbox; nothing is prepared meanwhile
  Time calm_after_{};       ///< a program that has just begun has the machine for itself until then
  std::string preloading_;  ///< name of the shelf whose sandbox loads its process now
  std::stop_source hurry_;  ///< ends that loading, because a caller wants the sandbox
  std::jthread thread_;
};

}  // namespace codebox::sandbox
