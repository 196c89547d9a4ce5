#include "good.h"
static const char* const aliases[] = {"fine", "Not-Fine", NULL};
static const cbx_plugin plugin = {GOOD, .id = "names", .aliases = aliases, .run = &good_run};
ENTRY(plugin)
