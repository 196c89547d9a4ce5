/* Another language's id as an alias. */
#include "good.h"
static const char* const aliases[] = {"good", NULL};
static const cbx_plugin plugin = {GOOD, .id = "other", .aliases = aliases, .run = &good_run};
ENTRY(plugin)
