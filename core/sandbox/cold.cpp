#include <algorithm>

#include "sandbox/caretaker.hpp"
#include "sandbox/live.hpp"

namespace codebox::sandbox {
namespace {

// An agent that has not spoken by then will not.
constexpr std::chrono::seconds greeting{10};

/// Starts a container for every acquire. Any thread.
class ColdSandboxes : public Sandboxes {
 public:
  explicit ColdSandboxes(engine::Engine& engine)
      : engine_(engine), caretaker_(std::make_shared<Caretaker>(engine)) {}

  Result<std::unique_ptr<Sandbox>> acquire(const engine::CreateSpec& spec, Time deadline,
                                           std::stop_token cancel) override {
    auto container = engine_.start(spec, cancel);
    if (!container.ok()) return container.failure();
    auto sandbox =
        std::make_unique<LiveSandbox>(engine_, std::move(container.value()), spec.limits, caretaker_);
    const Time latest = std::min(deadline, std::chrono::steady_clock::now() + greeting);
    if (auto greeted = sandbox->greet(latest, cancel); !greeted.ok()) return greeted.failure();
    return std::unique_ptr<Sandbox>(std::move(sandbox));
  }

  bool removing() const override { return caretaker_->removing(); }

 private:
  engine::Engine& engine_;
  std::shared_ptr<Caretaker> caretaker_;
};

}  // namespace

std::unique_ptr<Sandboxes> cold_sandboxes(engine::Engine& engine) {
  return std::make_unique<ColdSandboxes>(engine);
}

}  // namespace codebox::sandbox
