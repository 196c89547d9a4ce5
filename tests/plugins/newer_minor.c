#include "good.h"
static const cbx_plugin plugin = {GOOD, .need_minor = 9, .id = "minor", .run = &good_run};
ENTRY(plugin)
