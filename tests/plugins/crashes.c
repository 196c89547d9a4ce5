/* A constructor that reads where nothing is. */
#include <signal.h>

#include "good.h"
__attribute__((constructor)) static void crash(void) {
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
}
static const cbx_plugin plugin = {GOOD, .id = "crashes", .run = &good_run};
ENTRY(plugin)
