#include "good.h"
static const cbx_hint hint = {.size = sizeof hint, .pattern = "*", .text = "\xed\xa0\x80"};
static const cbx_hint* const hints[] = {&hint, NULL};
static const cbx_plugin plugin = {GOOD, .id = "utf8", .run = &good_run, .hints = hints};
ENTRY(plugin)
