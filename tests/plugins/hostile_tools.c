/* Tools that break the rules of codebox.tools/1, one rule each. */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "good.h"

static void give(const cbx_tool_call* call, const char* block) {
  call->content(call->ctx, block, strlen(block));
}
static void text(const cbx_tool_call* call, const char* words) {
  char block[512];
  snprintf(block, sizeof block, "{\"type\":\"text\",\"text\":\"%s\"}", words);
  give(call, block);
}

static uint32_t crashes(const cbx_tool_call* call) {
  text(call, "before");
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
  return 0;
}
static uint32_t ends(const cbx_tool_call* call) {
  (void)call;
  _exit(3);
}
static uint32_t spins(const cbx_tool_call* call) {
  (void)call;
  for (;;) pause();
  return 0;
}
static uint32_t waits(const cbx_tool_call* call) {
  call->log(call->ctx, CBX_LOG_INFO, NULL, "\"waiting\"");
  while (!call->cancelled(call->ctx)) usleep(10000);
  return 0;
}
static uint32_t floods(const cbx_tool_call* call) {
  static char block[1 << 20];
  memset(block, 'x', sizeof block);
  memcpy(block, "{\"type\":\"text\",\"text\":\"", 23);
  memcpy(block + sizeof block - 2, "\"}", 2);
  for (int i = 0; i < 1000; ++i) call->content(call->ctx, block, sizeof block);
  return 0;
}
static uint32_t chats(const cbx_tool_call* call) {
  for (int i = 0; i < 65; ++i) text(call, "again");
  return 0;
}
static uint32_t no_json(const cbx_tool_call* call) {
  give(call, "{\"type\":");
  return 0;
}
static uint32_t no_utf8(const cbx_tool_call* call) {
  give(call, "{\"type\":\"text\",\"text\":\"\xff\xfe\"}");
  return 0;
}
static uint32_t deep(const cbx_tool_call* call) {
  static char block[200001];
  memset(block, '[', 100000);
  memset(block + 100000, ']', 100000);
  give(call, block);
  return 0;
}
static uint32_t svg(const cbx_tool_call* call) {
  give(call, "{\"type\":\"image\",\"mimeType\":\"image/svg+xml\",\"data\":\"PHN2Zy8+\"}");
  return 0;
}
static uint32_t no_base64(const cbx_tool_call* call) {
  give(call, "{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"not base64\"}");
  return 0;
}
static uint32_t unknown(const cbx_tool_call* call) {
  give(call, "{\"type\":\"hologram\"}");
  return 0;
}
static uint32_t script(const cbx_tool_call* call) {
  give(call, "{\"type\":\"resource_link\",\"name\":\"x\",\"uri\":\"javascript:alert(1)\"}");
  return 0;
}
static uint32_t returns_7(const cbx_tool_call* call) {
  text(call, "seven");
  return 7;
}
static uint32_t forges(const cbx_tool_call* call) {
  (void)call;
  send(4, "z[]\n", 4, 0);
  return 0;
}
static uint32_t unstructured(const cbx_tool_call* call) {
  text(call, "no structure");
  return 0;
}
static uint32_t snoops(const cbx_tool_call* call) {
  extern char** environ;
  char words[128];
  snprintf(words, sizeof words, "%s uid %d", environ && environ[0] ? "environment" : "nothing",
           (int)getuid());
  text(call, words);
  return 0;
}
static uint32_t counts(const cbx_tool_call* call) {
  static int calls;
  char words[32];
  snprintf(words, sizeof words, "call %d", ++calls);
  text(call, words);
  return 0;
}

#define NOTHING "{\"type\":\"object\"}"
#define TOOL(function)                                                      \
  static const cbx_tool function##_tool = {.size = sizeof(cbx_tool),        \
                                           .name = "hostile_" #function,    \
                                           .description = "Breaks a rule.", \
                                           .input_schema = NOTHING,         \
                                           .call = function};
TOOL(crashes)
TOOL(ends)
TOOL(spins) TOOL(waits) TOOL(floods) TOOL(chats) TOOL(no_json) TOOL(no_utf8) TOOL(deep) TOOL(svg)
    TOOL(no_base64) TOOL(unknown) TOOL(script) TOOL(returns_7) TOOL(forges) TOOL(snoops)
        TOOL(counts) static const cbx_tool unstructured_tool = {.size = sizeof(cbx_tool),
                                                                .name = "hostile_unstructured",
                                                                .description = "Breaks a rule.",
                                                                .input_schema = NOTHING,
                                                                .output_schema = NOTHING,
                                                                .call = unstructured};
static const cbx_tool* const all[] = {
    &crashes_tool, &ends_tool,      &spins_tool,  &waits_tool,  &floods_tool,    &chats_tool,
    &no_json_tool, &no_utf8_tool,   &deep_tool,   &svg_tool,    &no_base64_tool, &unknown_tool,
    &script_tool,  &returns_7_tool, &forges_tool, &snoops_tool, &counts_tool,    &unstructured_tool,
    NULL};
static const cbx_tools tools = {.size = sizeof tools, .tools = all};
static const void* extension(const char* name) {
  return strcmp(name, CBX_EXTENSION_TOOLS) == 0 ? &tools : NULL;
}
static const cbx_plugin plugin = {GOOD, .id = "hostile", .run = &good_run, .extension = extension};
ENTRY(plugin)
