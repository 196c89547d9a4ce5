#pragma once
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.hpp"

namespace codebox::test {

/// An engine that a test scripts: it says what start() gives, and remembers what it was asked. Any thread.
class FakeEngine : public engine::Engine {
 public:
  std::function<Result<engine::Container>(const engine::CreateSpec&)> on_start;
  bool out_of_memory = false;
  /// What info() and image() say.
  std::function<Result<engine::EngineInfo>()> on_info;
  std::function<Result<engine::ImageInfo>(const std::string&)> on_image;
  /// What pull() does; the stop token is the caller's wish to cancel it.
  std::function<Result<void>(const std::string&, std::stop_token)> on_pull;

  Result<engine::EngineInfo> info() override {
    return on_info ? on_info() : engine::EngineInfo{"fake", "1", "fake://", "v2", 0, 2, false};
  }
  Result<engine::ImageInfo> image(const std::string& reference) override {
    return on_image ? on_image(reference) : engine::ImageInfo{"sha256:" + reference, {}, "amd64"};
  }
  Result<void> pull(const std::string& reference, const std::function<void(std::string)>&,
                    std::stop_token cancel) override {
    return on_pull ? on_pull(reference, std::move(cancel)) : Result<void>();
  }
  Result<engine::Container> start(const engine::CreateSpec& spec, std::stop_token) override {
    return on_start(spec);
  }
  Result<void> set_memory(const std::string& id, std::uint64_t bytes) override {
    const std::lock_guard lock(mutex_);
    memory_.emplace_back(id, bytes);
    return {};
  }
  Result<engine::ContainerState> state(const std::string&) override {
    return engine::ContainerState{false, out_of_memory, 0};
  }
  Result<void> remove(const std::string& id) override {
    const std::lock_guard lock(mutex_);
    removed_.push_back(id);
    return {};
  }

  std::vector<std::string> removed() const {
    const std::lock_guard lock(mutex_);
    return removed_;
  }
  std::vector<std::pair<std::string, std::uint64_t>> memory() const {
    const std::lock_guard lock(mutex_);
    return memory_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> removed_;
  std::vector<std::pair<std::string, std::uint64_t>> memory_;
};

}  // namespace codebox::test
