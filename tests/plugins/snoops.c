/* Tells through its refusal what it found in the process that loads it. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "good.h"
extern char** environ;
static const cbx_plugin plugin = {GOOD, .id = "snoops", .run = &good_run};
const cbx_plugin* codebox_plugin_v1(const cbx_host* host) {
  int open_files = 0, variables = 0;
  for (int fd = 5; fd < 1024; ++fd) open_files += fcntl(fd, F_GETFD) >= 0;
  for (char** variable = environ; *variable; ++variable) ++variables;
  char text[96];
  snprintf(text, sizeof text, "%d descriptors, %d variables, root %d", open_files, variables, geteuid() == 0);
  host->fail(host->ctx, text);
  printf("nobody hears this\n");
  return host->size == 0 ? &plugin : NULL;
}
