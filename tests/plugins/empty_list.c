#include "good.h"
static const char* const run_argv[] = {"echo", "x", NULL};
static const cbx_command run = {.size = sizeof run, .argv = run_argv};
static const char* const list_argv[] = {"true", NULL};
static const cbx_command list = {.size = sizeof list, .argv = list_argv};
static const cbx_plugin plugin = {
    GOOD, .id = "empty_list", .run = &run, .list = &list, .list_format = CBX_LIST_LINES};
ENTRY(plugin)
