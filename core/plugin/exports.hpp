#pragma once
#include "plugin/finding.hpp"

namespace codebox::plugin {

/// "exports" where the library, which passed elf_fault, exports more than plugin entries: no reason to refuse
/// it, but such names meet those of other libraries. An empty id otherwise, also where no table of dynamic
/// symbols can be read. Any thread.
Finding needless_exports(int fd);

}  // namespace codebox::plugin
