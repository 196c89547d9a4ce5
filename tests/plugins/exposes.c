/* A good plugin that also exports names of its own. */
#include "good.h"
static const cbx_plugin plugin = {GOOD, .id = "exposes", .run = &good_run};
ENTRY(plugin)
CBX_EXPORT int helper_of_mine(void);
int helper_of_mine(void) {
  return 1;
}
