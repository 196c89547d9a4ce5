#include "proof/proven_sandboxes.hpp"

#include <algorithm>

#include "base/log.hpp"

namespace codebox::proof {

ProvenSandboxes::~ProvenSandboxes() {
  // The threads look for their proof once more when they end, so it stays until they have.
  std::map<std::string, std::jthread> threads;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [runtime, proof] : proofs_) {
      proof.thread.request_stop();
      threads[runtime] = std::move(proof.thread);
    }
  }
}

void ProvenSandboxes::begin(const std::string& image, const std::string& runtime) {
  const std::lock_guard lock(mutex_);
  Proof& proof = proofs_[runtime];
  if (proof.state == Proof::unknown) start(proof, image, runtime);
}

void ProvenSandboxes::start(Proof& proof, const std::string& image, const std::string& runtime) {
  proof.state = Proof::running;
  ++proof.attempts;
  proof.thread = std::jthread([this, &proof, image, runtime](const std::stop_token& stop) {
    const auto checks = prove_(image, runtime, stop);
    const std::lock_guard lock(mutex_);
    finish(proof, runtime, checks);
    changed_.notify_all();
  });
}

void ProvenSandboxes::finish(Proof& proof, const std::string& runtime, const Result<Checks>& checks) {
  if (!checks) {
    proof.state = Proof::unknown;
    proof.reason = checks.failure().reason;
    proof.failure = checks.failure().message;
    if (proof.reason != Reason::cancelled)
      log::warn("the limits of sandboxes could not be proven: " + proof.failure);
    return;
  }
  proof.state = Proof::done;
  proof.complaint = complaint(*checks);
  const std::string where = runtime.empty() ? "" : " under SANDBOX_RUNTIME=" + runtime;
  if (proof.complaint.empty()) {
    const auto seen =
        std::count_if(checks->begin(), checks->end(), [](const Check& one) { return one.offered; });
    log::info("all " + std::to_string(seen) + " limits of sandboxes were seen to hold" + where);
  } else if (demand_ == Demand::warn) {
    log::warn(proof.complaint + " SANDBOX_PROOF=warn lets programs run all the same.");
  } else {
    log::error(proof.complaint + " No program runs" + where +
               " until they do, or SANDBOX_PROOF=warn is set.");
  }
}

Result<void> ProvenSandboxes::proven(const engine::CreateSpec& spec, Time deadline,
                                     const std::stop_token& cancel) {
  std::unique_lock lock(mutex_);
  Proof& proof = proofs_[spec.runtime];
  if (proof.state == Proof::unknown) start(proof, spec.image, spec.runtime);
  const int attempt = proof.attempts;
  const bool over = changed_.wait_until(lock, cancel, deadline, [&] {
    return proof.state == Proof::done || proof.attempts != attempt || proof.state == Proof::unknown;
  });
  if (cancel.stop_requested()) return Failure{Reason::cancelled, "The call was cancelled."};
  if (!over || proof.state == Proof::running) {
    return Failure{
        Reason::capacity,
        "The server still checks that the limits of its sandboxes hold; try again in a few seconds."};
  }
  if (proof.state == Proof::unknown) return Failure{proof.reason, proof.failure};
  if (proof.complaint.empty() || demand_ == Demand::warn) return {};
  return Failure{
      Reason::engine,
      proof.complaint + " Nothing runs here until the operator has seen to it (SANDBOX_PROOF)."};
}

Result<std::unique_ptr<sandbox::Sandbox>> ProvenSandboxes::acquire(const engine::CreateSpec& spec,
                                                                   Time deadline, std::stop_token cancel) {
  if (auto fine = proven(spec, deadline, cancel); !fine) return fine.failure();
  return behind_.acquire(spec, deadline, std::move(cancel));
}

Result<std::unique_ptr<sandbox::Sandbox>> ProvenSandboxes::acquire_prepared(
    const engine::CreateSpec& spec, const sandbox::Preparation& preparation, Time deadline,
    std::stop_token cancel) {
  if (auto fine = proven(spec, deadline, cancel); !fine) return fine.failure();
  return behind_.acquire_prepared(spec, preparation, deadline, std::move(cancel));
}

}  // namespace codebox::proof
