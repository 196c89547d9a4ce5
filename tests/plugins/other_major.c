#include "good.h"
static cbx_plugin plugin = {GOOD, .id = "major", .run = &good_run};
const cbx_plugin* codebox_plugin_v1(const cbx_host* host) {
  (void)host;
  plugin.abi_major = 2;
  return &plugin;
}
