#include "good.h"
static const cbx_plugin plugin = {GOOD, .id = "../../x", .run = &good_run};
ENTRY(plugin)
