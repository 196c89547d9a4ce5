#pragma once

namespace codebox::agent {

/// In a forked child that may gain no more privileges: shuts the parts of the kernel that no program of a
/// caller's needs, whatever the engine's own profile leaves open. Holds for everything that the child
/// becomes. False when the kernel refuses the filter.
bool confine();

}  // namespace codebox::agent
