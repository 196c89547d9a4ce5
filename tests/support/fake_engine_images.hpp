#pragma once
#include <atomic>
#include <functional>

#include "engine/engine.hpp"

namespace codebox::testing {

/// An engine that has images (or not) and starts nothing.
class ImagesOnlyEngine : public engine::Engine {
 public:
  std::atomic<bool> present{true};
  engine::ImageInfo info_of_image{"sha256:1", {}, "amd64"};
  std::function<Result<void>(std::stop_token)> on_pull;

  Result<engine::EngineInfo> info() override { return engine::EngineInfo{}; }
  Result<engine::ImageInfo> image(const std::string& reference) override {
    if (!present) return Failure{Reason::not_found, "no image " + reference};
    return info_of_image;
  }
  Result<void> pull(const std::string&, const std::function<void(std::string)>& progress,
                    std::stop_token cancel) override {
    progress("1 of 3 layers");
    return on_pull ? on_pull(std::move(cancel)) : Result<void>();
  }
  Result<engine::Container> start(const engine::CreateSpec&, std::stop_token) override {
    return Failure{Reason::engine, "starts nothing"};
  }
  Result<void> set_memory(const std::string&, std::uint64_t) override { return {}; }
  Result<engine::ContainerState> state(const std::string&) override { return engine::ContainerState{}; }
  Result<void> remove(const std::string&) override { return {}; }
};

}  // namespace codebox::testing
