/* A descriptor that keeps every rule; a broken plugin changes one thing in a copy of it. */
#pragma once
#include <codebox/plugin.h>

static const char* const good_argv[] = {"true", "{source}", NULL};
static const cbx_command good_run = {.size = sizeof good_run, .argv = good_argv};
static const cbx_sample good_sample = {.size = sizeof good_sample, .code = "x\n", .output = "x\n"};
#define GOOD                                                                                            \
  .size = sizeof(cbx_plugin), .abi_major = CBX_ABI_MAJOR, .abi_minor = CBX_ABI_MINOR, .version = "1.0", \
  .display_name = "Good", .description = "Runs nothing.", .image = "codebox/none:1",                    \
  .source_file = "main.x", .sample = &good_sample
#define ENTRY(descriptor)                                     \
  const cbx_plugin* codebox_plugin_v1(const cbx_host* host) { \
    (void)host;                                               \
    return &(descriptor);                                     \
  }
