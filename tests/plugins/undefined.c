/* Needs a symbol that nobody has. */
#include "good.h"
extern int nobody_has_this_symbol(void);
static const cbx_plugin plugin = {GOOD, .id = "undefined", .run = &good_run};
const cbx_plugin* codebox_plugin_v1(const cbx_host* host) {
  (void)host;
  return nobody_has_this_symbol() ? &plugin : NULL;
}
