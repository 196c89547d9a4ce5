#include "good.h"
static const cbx_plugin plugin = {GOOD, .id = "null", .run = &good_run};
const cbx_plugin* codebox_plugin_v1(const cbx_host* host) {
  return host->size == 0 ? &plugin : NULL;
}
