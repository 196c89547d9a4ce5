#pragma once
#include <stop_token>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "engine/engine.hpp"
#include "proof/check.hpp"
#include "sandbox/sandbox.hpp"

namespace codebox::proof {

/// Starts a sandbox of `image` under `runtime`, small but otherwise like every other, and has its agent try
/// each limit. Every check has an answer: one that was not given does not hold. A failure means that nothing
/// was learnt, since no sandbox could be started. Blocks; any thread.
Result<Checks> prove(sandbox::Sandboxes& sandboxes, const std::string& image, const std::string& runtime,
                     Time deadline, std::stop_token cancel);

/// What the sandboxes of a proof may use: little, so that reaching every end takes a moment only.
engine::Limits proof_limits();

}  // namespace codebox::proof
