#include "good.h"
static const cbx_plugin plugin = {GOOD, .id = "good", .run = &good_run};
ENTRY(plugin)
