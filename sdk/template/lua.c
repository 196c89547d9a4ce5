/* A whole language in plain C: Lua, without packages. */
#include <codebox/plugin.h>

static const char* const run_argv[] = {"lua", "{source}", NULL};
static const cbx_command run = {.size = sizeof run, .argv = run_argv};

static const cbx_hint no_module = {.size = sizeof no_module,
                                   .pattern = "*module '*' not found*",
                                   .text = "Only Lua's own modules are there."};
static const cbx_hint* const hints[] = {&no_module, NULL};

static const cbx_sample sample = {.size = sizeof sample, .code = "print(6 * 7)\n", .output = "42\n"};

static const cbx_plugin lua = {
    .size = sizeof lua,
    .abi_major = CBX_ABI_MAJOR,
    .abi_minor = CBX_ABI_MINOR,
    .id = "lua",
    .version = "1.0.0",
    .display_name = "Lua",
    .description = "Runs a Lua program and returns what it prints.",
    .image = "codebox/sandbox-lua:latest",
    .source_file = "main.lua",
    .run = &run,
    .hints = hints,
    .sample = &sample,
};

const cbx_plugin* codebox_plugin_v1(const cbx_host* host) {
  (void)host;
  return &lua;
}
