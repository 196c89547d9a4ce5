#include "good.h"
static const cbx_plugin plugin = {GOOD, .id = "declines", .run = &good_run};
const cbx_plugin* codebox_plugin_v1(const cbx_host* host) {
  host->fail(host->ctx, "this\nmachine has\x1b no moon");
  return host->size == 0 ? &plugin : NULL;
}
