#pragma once
#include <vector>

#include "run/arguments.hpp"
#include "run/options.hpp"
#include "run/transfer.hpp"
#include "sandbox/sandbox.hpp"

/// What may be ready before a call. Pure functions; any thread.
namespace codebox::run {

/// What a sandbox for `language` can have before any call is known: the support files and, where it is the
/// same for all calls, a process that waits to become the program.
sandbox::Preparation preparation(const plugin::LanguageSpec& language, const engine::ImageInfo& image,
                                 const Options& options);

/// Whether the call's program may run in a process that loaded its libraries earlier: nothing of the call
/// could have made it load others.
bool may_have_waited(const plugin::LanguageSpec& language, const Arguments& arguments,
                     const std::vector<PlacedInput>& inputs, const Options& options);

}  // namespace codebox::run
