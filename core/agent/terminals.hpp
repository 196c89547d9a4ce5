#pragma once
#include <cstddef>

namespace codebox::agent {

/// A host has one pool of pseudo-terminals for all its sandboxes, which nothing else divides. No program needs
/// more than these at once.
inline constexpr std::size_t most_terminals = 128;

/// How many pseudo-terminals are open in this sandbox, counted no further than past the limit. Any thread.
std::size_t open_terminals();

}  // namespace codebox::agent
