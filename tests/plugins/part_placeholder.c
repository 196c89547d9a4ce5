#include "good.h"
static const char* const argv[] = {"true", "--all={packages}", NULL};
static const cbx_command run = {.size = sizeof run, .argv = argv};
static const cbx_plugin plugin = {GOOD, .id = "part", .run = &run};
const cbx_plugin* codebox_plugin_v1(const cbx_host* host) {
  return host->size && good_run.size ? &plugin : NULL;
}
