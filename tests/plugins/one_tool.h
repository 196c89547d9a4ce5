/* A plugin with one tool that needs no sandbox, of the name and the schema that its file defines. */
#pragma once
#include "good.h"

static uint32_t call(const cbx_tool_call* call) {
  (void)call;
  return 0;
}
static const cbx_tool tool = {.size = sizeof tool,
                              .name = TOOL_NAME,
                              .description = "A tool.",
                              .input_schema = TOOL_SCHEMA,
                              .call = call};
static const cbx_tool* const all[] = {&tool, NULL};
static const cbx_tools tools = {.size = sizeof tools, .tools = all};
static const void* extension(const char* name) {
  (void)name;
  return &tools;
}
static const cbx_plugin plugin = {GOOD, .id = "tools", .run = &good_run, .extension = extension};
ENTRY(plugin)
