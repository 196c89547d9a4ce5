#include "good.h"
static volatile int turning = 1;
__attribute__((constructor)) static void spin(void) {
  while (turning) {
  }
}
static const cbx_plugin plugin = {GOOD, .id = "spins", .run = &good_run};
ENTRY(plugin)
