#pragma once
#include <string>

namespace codebox::agent {

/// Some of what a program can take comes from one pool of the host's kernel that no limit of a container
/// divides: pseudo-terminals, and on older control groups the buffers of sockets. So the agent counts them.
/// Says of what this sandbox has too much ("more than 128 pseudo-terminals"); empty when of nothing. Any
/// thread.
std::string over_share();

}  // namespace codebox::agent
