#pragma once
#include "plugin/finding.hpp"

namespace codebox::plugin {

/// What keeps the open file from being a whole shared library for this machine; an empty id where nothing
/// does. Reads headers only: a library that is cut off would otherwise end its loader with a bus error. Any
/// thread.
Finding elf_fault(int fd);

}  // namespace codebox::plugin
