/* What a later minor version will look like: this host must load it. */
#include "good.h"
static struct {
  cbx_plugin known;
  const char* later[8];
} plugin = {{GOOD, .id = "longer", .run = &good_run}, {"later"}};
const cbx_plugin* codebox_plugin_v1(const cbx_host* host) {
  (void)host;
  plugin.known.size = sizeof plugin;
  plugin.known.abi_minor = 7;
  return &plugin.known;
}
