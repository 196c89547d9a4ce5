#pragma once
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "base/clock.hpp"
#include "engine/engine.hpp"
#include "run/options.hpp"

namespace codebox::run {

/// Which images are there. A missing one is pulled in the background (SANDBOX_PULL) while its tool answers
/// with the reason, and a call never waits for a pull. Owned by app; any thread.
class Images {
 public:
  Images(engine::Engine& engine, Pull pull) : engine_(engine), pull_(pull) {}
  ~Images();

  /// The image, or Reason::image with the sentence to answer.
  Result<engine::ImageInfo> ready(const std::string& reference);
  /// As ready(), but may be some seconds old: asking the engine takes longer than all else before a warm
  /// program.
  Result<engine::ImageInfo> recent(const std::string& reference);
  /// The image, if it is there already.
  Result<engine::ImageInfo> look(const std::string& reference) { return engine_.image(reference); }
  /// Starts pulling what has to be pulled; at server start.
  void prepare(const std::string& reference);
  /// Waits until nothing is being pulled; for one-shot runs.
  void wait();

 private:
  struct Pulling {
    std::jthread thread;
    bool running = false;
    std::string progress;
    std::string failure;
    Time finished{};
  };

  struct Seen {
    engine::ImageInfo image;
    Time at{};
  };

  void start_pull(const std::string& reference, Pulling& pulling);
  void pull(const std::string& reference, std::stop_token cancel);

  engine::Engine& engine_;
  const Pull pull_;
  std::mutex mutex_;
  std::map<std::string, Pulling> pulls_;
  std::map<std::string, Seen> seen_;
};

}  // namespace codebox::run
