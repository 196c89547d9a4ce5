#pragma once
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "proof/check.hpp"
#include "sandbox/sandbox.hpp"

namespace codebox::proof {

/// What happens where a limit does not hold (SANDBOX_PROOF).
enum class Demand {
  require,  ///< no sandbox starts, and every call is answered with what does not hold
  warn,     ///< it is logged
};

/// Stands before the others' sandboxes: the first of each runtime is proven, in the background, and calls
/// wait until it is. Owned by app, which gives it sandboxes of its own to try; any thread.
class ProvenSandboxes : public sandbox::Sandboxes {
 public:
  using Prove =
      std::function<Result<Checks>(const std::string& image, const std::string& runtime, std::stop_token)>;
  ProvenSandboxes(sandbox::Sandboxes& behind, Demand demand, Prove prove)
      : behind_(behind), demand_(demand), prove_(std::move(prove)) {}
  ~ProvenSandboxes() override;

  /// Starts the proof for this runtime, unless it runs or is done.
  void begin(const std::string& image, const std::string& runtime);
  Result<std::unique_ptr<sandbox::Sandbox>> acquire(const engine::CreateSpec& spec, Time deadline,
                                                    std::stop_token cancel) override;
  Result<std::unique_ptr<sandbox::Sandbox>> acquire_prepared(const engine::CreateSpec& spec,
                                                             const sandbox::Preparation& preparation,
                                                             Time deadline, std::stop_token cancel) override;
  void expect(const engine::CreateSpec& spec, const sandbox::Preparation& preparation) override {
    behind_.expect(spec, preparation);
  }

 private:
  struct Proof {
    enum { unknown, running, done } state = unknown;
    std::string complaint;  ///< empty when everything holds
    std::string failure;    ///< why the last attempt gave no answer
    Reason reason = Reason::internal;
    int attempts = 0;
    std::jthread thread;
  };

  void start(Proof& proof, const std::string& image, const std::string& runtime);
  void finish(Proof& proof, const std::string& runtime, const Result<Checks>& checks);
  Result<void> proven(const engine::CreateSpec& spec, Time deadline, const std::stop_token& cancel);

  sandbox::Sandboxes& behind_;
  const Demand demand_;
  const Prove prove_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, Proof> proofs_;  // by runtime
};

}  // namespace codebox::proof
