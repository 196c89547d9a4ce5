#include "good.h"
static volatile int turning = 1;
static const cbx_plugin plugin = {GOOD, .id = "spins", .run = &good_run};
const cbx_plugin* codebox_plugin_v1(const cbx_host* host) {
  while (turning) {
  }
  return host->size ? &plugin : NULL;
}
