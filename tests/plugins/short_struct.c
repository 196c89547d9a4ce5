/* States a size that ends before the fields that version 1.0 has. */
#include "good.h"
static cbx_plugin plugin = {GOOD, .id = "short", .run = &good_run};
const cbx_plugin* codebox_plugin_v1(const cbx_host* host) {
  (void)host;
  plugin.size = 64;
  return &plugin;
}
