/* The tools that the official conformance suite of the Model Context Protocol calls, as plain C: what an
 * author of tools that need no sandbox writes. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "good.h"

#define NOTHING "{\"type\":\"object\",\"properties\":{}}"
#define TEXT(words) "{\"type\":\"text\",\"text\":\"" words "\"}"
#define PNG                                                                                                \
  "{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ" \
  "AAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==\"}"
#define WAV                                                                                                \
  "{\"type\":\"audio\",\"mimeType\":\"audio/wav\",\"data\":\"UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAAC" \
  "ABAAZGF0YQIAAAAAAA==\"}"

static void give(const cbx_tool_call* call, const char* block) {
  call->content(call->ctx, block, strlen(block));
}
static void rest(long milliseconds) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static uint32_t simple_text(const cbx_tool_call* call) {
  give(call, TEXT("This is a simple text response for testing."));
  return 0;
}
static uint32_t image(const cbx_tool_call* call) {
  give(call, PNG);
  return 0;
}
static uint32_t audio(const cbx_tool_call* call) {
  give(call, WAV);
  return 0;
}
static uint32_t embedded(const cbx_tool_call* call) {
  give(
      call,
      "{\"type\":\"resource\",\"resource\":{\"uri\":\"test://embedded-resource\",\"mimeType\":\"text/plain\","
      "\"text\":\"This is an embedded resource content.\"}}");
  return 0;
}
static uint32_t mixed(const cbx_tool_call* call) {
  give(call, TEXT("Multiple content types test:"));
  give(call, PNG);
  give(call,
       "{\"type\":\"resource\",\"resource\":{\"uri\":\"test://mixed-content-resource\",\"mimeType\":"
       "\"application/json\",\"text\":\"{\\\"test\\\":\\\"data\\\",\\\"value\\\":123}\"}}");
  return 0;
}
static uint32_t logging(const cbx_tool_call* call) {
  static const char* const lines[] = {"\"Tool execution started\"", "\"Tool processing data\"",
                                      "\"Tool execution completed\""};
  for (unsigned i = 0; i < 3; ++i) {
    call->log(call->ctx, CBX_LOG_INFO, "conformance", lines[i]);
    rest(50);
  }
  give(call, TEXT("Tool with logging executed successfully"));
  return 0;
}
static uint32_t progress(const cbx_tool_call* call) {
  for (unsigned i = 0; i <= 100; i += 50) {
    char message[48];
    snprintf(message, sizeof message, "Completed step %u of 100", i);
    call->progress(call->ctx, i, 100, message);
    rest(50);
  }
  give(call, TEXT("Tool with progress executed successfully"));
  return 0;
}
static uint32_t fails(const cbx_tool_call* call) {
  give(call, TEXT("This tool intentionally returns an error for testing"));
  return 1;
}
static uint32_t echoes(const cbx_tool_call* call) {
  call->structured(call->ctx, call->arguments, call->arguments_length);
  return 0;
}
static uint32_t says_ok(const cbx_tool_call* call) {
  give(call, TEXT("ok"));
  return 0;
}
static uint32_t needs_sampling(const cbx_tool_call* call) {
  call->error(call->ctx, -32021, "This tool needs a client that samples.",
              "{\"requiredCapabilities\":{\"sampling\":{}}}");
  return 0;
}

#define TOOL(function, given, words, schema)                         \
  static const cbx_tool function##_tool = {.size = sizeof(cbx_tool), \
                                           .name = given,            \
                                           .description = words,     \
                                           .input_schema = schema,   \
                                           .call = function};
TOOL(simple_text, "test_simple_text", "Answers a fixed text.", NOTHING)
TOOL(image, "test_image_content", "Answers a picture.", NOTHING)
TOOL(audio, "test_audio_content", "Answers a sound.", NOTHING)
TOOL(embedded, "test_embedded_resource", "Answers a resource.", NOTHING)
TOOL(mixed, "test_multiple_content_types", "Answers a text, a picture and a resource.", NOTHING)
TOOL(logging, "test_tool_with_logging", "Logs three lines.", NOTHING)
TOOL(progress, "test_tool_with_progress", "Tells how far it is, three times.", NOTHING)
TOOL(fails, "test_error_handling", "Fails.", NOTHING)
TOOL(needs_sampling, "test_missing_capability", "Needs a client that samples.", NOTHING)
static const cbx_tool logs_tool = {.size = sizeof(cbx_tool),
                                   .name = "test_logging_tool",
                                   .description = "Logs three lines.",
                                   .input_schema = NOTHING,
                                   .call = logging};
static const cbx_tool streams_tool = {.size = sizeof(cbx_tool),
                                      .name = "test_streaming_elicitation",
                                      .description = "Tells how far it is; it asks nothing.",
                                      .input_schema = NOTHING,
                                      .call = progress};
TOOL(says_ok, "test_header_parameter", "Takes an argument that its caller repeats in a header.",
     "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}},"
     "\"required\":[\"region\"]}")
static const cbx_tool echo_tool = {.size = sizeof(cbx_tool),
                                   .name = "test_structured",
                                   .title = "Echo",
                                   .description = "Answers its arguments.",
                                   .input_schema = "{\"type\":\"object\"}",
                                   .output_schema = "{\"type\":\"object\"}",
                                   .annotations = "{\"readOnlyHint\":true}",
                                   .call = echoes};
static const cbx_tool schema_tool = {
    .size = sizeof(cbx_tool),
    .name = "json_schema_2020_12_tool",
    .description = "Tool with JSON Schema 2020-12 features",
    .input_schema =
        "{\"$schema\":\"https://json-schema.org/draft/2020-12/"
        "schema\",\"type\":\"object\",\"$defs\":{\"address\":"
        "{\"$anchor\":\"addressDef\",\"type\":\"object\",\"properties\":{\"street\":{\"type\":\"string\"},"
        "\"city\":"
        "{\"type\":\"string\"}}}},\"properties\":{\"name\":{\"type\":\"string\"},\"address\":{\"$ref\":"
        "\"#/$defs/"
        "address\"},\"contactMethod\":{\"type\":\"string\",\"enum\":[\"phone\",\"email\"]},\"phone\":"
        "{\"type\":\"string\"},\"email\":{\"type\":\"string\"}},\"allOf\":[{\"anyOf\":[{\"required\":["
        "\"phone\"]},"
        "{\"required\":[\"email\"]}]}],\"if\":{\"properties\":{\"contactMethod\":{\"const\":\"phone\"}},"
        "\"required\":[\"contactMethod\"]},\"then\":{\"required\":[\"phone\"]},\"else\":{\"required\":["
        "\"email\"]},"
        "\"additionalProperties\":false}",
    .call = says_ok};

static const cbx_tool* const all[] = {
    &simple_text_tool,    &image_tool,   &audio_tool,   &embedded_tool, &mixed_tool,
    &logging_tool,        &logs_tool,    &streams_tool, &progress_tool, &fails_tool,
    &needs_sampling_tool, &says_ok_tool, &echo_tool,    &schema_tool,   NULL};
static const cbx_tools tools = {.size = sizeof tools, .tools = all};

static const void* extension(const char* name) {
  return strcmp(name, CBX_EXTENSION_TOOLS) == 0 ? &tools : NULL;
}
static const cbx_plugin plugin = {GOOD, .id = "conformance", .run = &good_run, .extension = extension};
ENTRY(plugin)
