/* codebox/plugin.h: the whole contract between Codebox and a language plugin. Plain C11, nothing else needed.
 *
 * A plugin is a shared object with one exported function, codebox_plugin_v1, that returns one static
 * descriptor. It is data: the host copies it with bounds, checks it, and may close the library at once.
 *
 * Ownership  Everything reachable from the descriptor belongs to the plugin, is static and never changes.
 *            Nothing is ever freed across the border. What the host passes in is valid during that one call.
 * Threads    The entry is called once, on one thread, in a child without environment, secrets or privileges.
 * Text       NUL-terminated UTF-8, without control characters unless a field says that newlines may stand
 *            (tabs then may, too).
 * Lists      NULL-terminated arrays of pointers; a NULL list is an empty one.
 * Growth     Every struct begins with its own size. Later minor versions add fields at the end only, zero
 *            means "as before", numbers are never reused. A later major version is another symbol.
 * Defaults   0 and NULL unless a field says otherwise. Fields named reserved or flags are 0.
 * Wishes     Times and memory are wishes: the host lowers them to the operator's limits and never raises
 *            those. Isolation, network, users, mounts and limits are the host's alone and have no field here.
 */
#ifndef CODEBOX_PLUGIN_H
#define CODEBOX_PLUGIN_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define CBX_DEFAULT(value) = value
extern "C" {
#else
/* C fills what an initialiser leaves out with zero and names .size itself. */
#define CBX_DEFAULT(value)
#endif

#if defined(__GNUC__)
#define CBX_EXPORT __attribute__((visibility("default"), used))
#else
#define CBX_EXPORT
#endif

#define CBX_ABI_MAJOR 1u
#define CBX_ABI_MINOR 0u
#define CBX_ENTRY_NAME "codebox_plugin_v1"

/* How the list command prints the image's packages. */
enum {
  CBX_LIST_LINES = 1, /* one package a line: name, white space or '@' or '==', version */
  CBX_LIST_JSON = 2   /* an array of {"name": ..., "version": ...} */
};
enum { CBX_LOG_DEBUG = 1, CBX_LOG_INFO = 2, CBX_LOG_WARN = 3, CBX_LOG_ERROR = 4 };

typedef const char* const* cbx_strings; /* NULL-terminated */

/* One command, run without a shell. Placeholders are replaced wherever they stand in an argument, {packages}
 * only as a whole one; other braces stand for themselves.
 *   {source}   the program's absolute path                     run, compile; not in the first argument
 *   {dir}      the folder that holds the program               every command
 *   {support}  the folder that holds the support files         every command
 *   {prefix}   where packages are installed                    every command
 *   {packages} one argument for each package specifier         install (required), verify
 * In the values of environment variables {dir}, {support} and {prefix} are replaced likewise. */
typedef struct cbx_command {
  uint32_t size CBX_DEFAULT(sizeof(cbx_command));
  uint32_t time_ms CBX_DEFAULT(0);    /* milliseconds of wall time, 0 to 3600000; 0: no wish */
  uint32_t memory_mib CBX_DEFAULT(0); /* MiB, 0 to 1048576; 0: no wish */
  uint32_t reserved CBX_DEFAULT(0);   /* 0 */
  cbx_strings argv CBX_DEFAULT({});   /* 1 to 64 arguments of up to 4096 bytes */
} cbx_command;

/* A file that lies, read-only, in {support} while the language's commands run. */
typedef struct cbx_support_file {
  uint32_t size CBX_DEFAULT(sizeof(cbx_support_file));
  uint32_t reserved CBX_DEFAULT(0);
  const char* name CBX_DEFAULT({});  /* [A-Za-z0-9_][A-Za-z0-9._-]{0,63} */
  const char* bytes CBX_DEFAULT({}); /* `length` bytes of any value */
  uint64_t length CBX_DEFAULT(0);    /* bytes; all support files of a plugin together at most 1048576 */
} cbx_support_file;

/* How packages of the language are named, installed and found. */
typedef struct cbx_packages {
  uint32_t size CBX_DEFAULT(sizeof(cbx_packages));
  uint32_t longest CBX_DEFAULT(128); /* bytes of one specifier, 1 to 512 */
  uint32_t most CBX_DEFAULT(64);     /* specifiers of one call, 1 to 256 */
  uint32_t reserved CBX_DEFAULT(0);
  const char* noun CBX_DEFAULT({}); /* what one is called, for example "PyPI package"; 1 to 48 bytes */
  /* for example "humanize==4.*"; 1 to 128 bytes, obeys extra_characters */
  const char* example CBX_DEFAULT({});
  /* What a specifier may hold besides [A-Za-z0-9._-], any of !*+,/:<=>@[]^~ or NULL for nothing. The host
   * refuses on top of it a leading '-' or '.', white space, "..", absolute paths and every kind of URL. */
  const char* extra_characters CBX_DEFAULT({});
  /* required; runs online, before any file of the user is there */
  const cbx_command* install CBX_DEFAULT({});
  const cbx_command* verify CBX_DEFAULT({}); /* optional; a failure means that the install failed */
  cbx_strings install_env CBX_DEFAULT({});   /* "NAME=value" for install and verify; at most 64 */
  cbx_strings env CBX_DEFAULT({});           /* "NAME=value" that makes what was installed found */
  /* names of variables that choose an index or hold its credentials; passed to installs only if the
     operator set them; at most 32 */
  cbx_strings index_variables CBX_DEFAULT({});
} cbx_packages;

/* Where a line of the output of a failed program matches `pattern`, the result ends with `text`. Of several rules
   that match a line, the first one speaks. */
typedef struct cbx_hint {
  uint32_t size CBX_DEFAULT(sizeof(cbx_hint));
  uint32_t reserved CBX_DEFAULT(0);
  /* a glob over the whole line: '*' and '?', the rest literal; 1 to 256 bytes */
  const char* pattern CBX_DEFAULT({});
  const char* text CBX_DEFAULT({}); /* one sentence to the model: what to do; 1 to 512 bytes */
} cbx_hint;

/* A program that shows that the language works, for checks and CI. Newlines may stand in every field. */
typedef struct cbx_sample {
  uint32_t size CBX_DEFAULT(sizeof(cbx_sample));
  uint32_t reserved CBX_DEFAULT(0);
  const char* code CBX_DEFAULT({});   /* 1 to 65536 bytes */
  const char* input CBX_DEFAULT({});  /* its standard input; NULL: none; at most 65536 bytes */
  const char* output CBX_DEFAULT({}); /* exactly what it prints to standard output; 1 to 65536 bytes */
} cbx_sample;

typedef struct cbx_plugin {
  uint32_t size CBX_DEFAULT(sizeof(cbx_plugin));
  uint16_t abi_major CBX_DEFAULT(CBX_ABI_MAJOR);
  uint16_t abi_minor CBX_DEFAULT(CBX_ABI_MINOR); /* of the header that the plugin was built with */
  uint16_t need_minor CBX_DEFAULT(0);            /* oldest minor of a host that can run it; default 0 */
  uint16_t flags CBX_DEFAULT(0);                 /* 0 */
  uint32_t list_format CBX_DEFAULT(0);           /* CBX_LIST_*, required where `list` is given */
  /* [a-z][a-z0-9_]{0,15}; the tools are run_<id>, list_<id>_packages */
  const char* id CBX_DEFAULT({});
  const char* version CBX_DEFAULT({});      /* of the plugin; [A-Za-z0-9.+_~-]{1,32} */
  const char* display_name CBX_DEFAULT({}); /* for people, for example "Python"; 1 to 48 bytes */
  /* one paragraph for the model; newlines may stand; 1 to 4096 bytes */
  const char* description CBX_DEFAULT({});
  /* default image reference, 1 to 255 bytes; SANDBOX_IMAGE_<ID> overrides it */
  const char* image CBX_DEFAULT({});
  /* [A-Za-z0-9_][A-Za-z0-9._-]{0,63}: the program's file name */
  const char* source_file CBX_DEFAULT({});
  /* other names of the language, of the form of an id; at most 16 */
  cbx_strings aliases CBX_DEFAULT({});
  /* "amd64", "arm64", ...: [A-Za-z0-9_]{1,16}; at most 16; NULL: any */
  cbx_strings architectures CBX_DEFAULT({});
  /* "NAME=value" for every command; at most 64 of 4096 bytes */
  cbx_strings env CBX_DEFAULT({});
  const cbx_support_file* const* support CBX_DEFAULT({}); /* NULL-terminated; at most 32 */
  /* optional; its failure ends the call with the compiler's text */
  const cbx_command* compile CBX_DEFAULT({});
  const cbx_command* run CBX_DEFAULT({}); /* required */
  /* optional; prints the image's packages as list_format says */
  const cbx_command* list CBX_DEFAULT({});
  const cbx_packages* packages CBX_DEFAULT({}); /* optional; NULL: nothing can be installed */
  /* optional argv of a process that waits in a sandbox to become the program: docs/plugins.md */
  cbx_strings warm CBX_DEFAULT({});
  /* globs of files that never come back; at most 64 of 256 bytes */
  cbx_strings ignore CBX_DEFAULT({});
  const cbx_hint* const* hints CBX_DEFAULT({}); /* NULL-terminated; at most 32 */
  const cbx_sample* sample CBX_DEFAULT({});     /* required */
  /* Optional behaviour: the struct that `name` ("codebox.<name>/<revision>") stands for, or NULL. Static like the
     descriptor; any thread */
  const void* (*extension)(const char* name) CBX_DEFAULT({});
} cbx_plugin;

/* What the host offers. Valid during the entry only. */
typedef struct cbx_host {
  uint32_t size CBX_DEFAULT(sizeof(cbx_host));
  uint16_t abi_major CBX_DEFAULT(CBX_ABI_MAJOR);
  uint16_t abi_minor CBX_DEFAULT(CBX_ABI_MINOR);
  void* ctx CBX_DEFAULT({});           /* the host's; first argument of its functions */
  const char* version CBX_DEFAULT({}); /* the host's, for messages */
  /* one sentence; call it before returning NULL */
  void (*fail)(void* ctx, const char* reason) CBX_DEFAULT({});
  /* NULL for what it does not know */
  const void* (*extension)(void* ctx, const char* name) CBX_DEFAULT({});
} cbx_host;

/* The one symbol that a plugin exports. Returns NULL to decline, after host->fail. Must not throw. */
typedef const cbx_plugin* (*cbx_entry)(const cbx_host* host);
CBX_EXPORT const cbx_plugin* codebox_plugin_v1(const cbx_host* host);

/* ---- Extension "codebox.tools/1": tools that need no sandbox, beside the language's own. ----
 *
 * The plugin's `extension` returns a static cbx_tools for this name. Each call runs in a plugin host child of
 * its own, without environment, secrets or privileges, that is gone afterwards: nothing is kept between calls.
 * It has the time of SANDBOX_EXEC_TIMEOUT, half a GiB of addresses, and may answer 8 MiB in all. Whatever it
 * gives is checked before a client sees it; what breaks a rule ends the call with a sentence. */
#define CBX_EXTENSION_TOOLS "codebox.tools/1"

/* One call, valid until `call` returns. JSON is UTF-8 of the given length. Any thread may use the functions. */
typedef struct cbx_tool_call {
  uint32_t size CBX_DEFAULT(sizeof(cbx_tool_call));
  uint32_t reserved CBX_DEFAULT(0);
  void* ctx CBX_DEFAULT({});
  /* A JSON object, at most 1 MiB. The host looked at the top level of input_schema: `required`, the `type` of
     each property, and `additionalProperties` where it is false. The rest is the tool's own to check. */
  const char* arguments CBX_DEFAULT({});
  uint64_t arguments_length CBX_DEFAULT(0);
  /* One more content block of the protocol, at most 64 of them: text, image (png, jpeg, gif or webp), audio,
     resource (with text or blob) or resource_link. */
  void (*content)(void* ctx, const char* json, uint64_t length) CBX_DEFAULT({});
  /* The structured content, a JSON object; required where output_schema is given, unless the call failed. */
  void (*structured)(void* ctx, const char* json, uint64_t length) CBX_DEFAULT({});
  /* `value` must rise; a `total` of 0 is an unknown one; `message` may be NULL. Nothing happens where the
     client did not ask for progress. */
  void (*progress)(void* ctx, double value, double total, const char* message) CBX_DEFAULT({});
  /* CBX_LOG_*; `logger` may be NULL; `json` is any JSON value. */
  void (*log)(void* ctx, uint32_t level, const char* logger, const char* json) CBX_DEFAULT({});
  uint32_t (*cancelled)(void* ctx) CBX_DEFAULT({}); /* not 0 once nobody waits for the result */
  /* Answers an error of the protocol instead of a result; `data_json` may be NULL. The first one counts. */
  void (*error)(void* ctx, int64_t code, const char* message, const char* data_json) CBX_DEFAULT({});
} cbx_tool_call;

typedef struct cbx_tool {
  uint32_t size CBX_DEFAULT(sizeof(cbx_tool));
  uint32_t reserved CBX_DEFAULT(0);
  /* [a-z][a-z0-9_]{0,47}, verbatim; not run_..., list_..., which are the host's, and no other plugin's */
  const char* name CBX_DEFAULT({});
  const char* title CBX_DEFAULT({});       /* for people; NULL: none; at most 64 bytes */
  const char* description CBX_DEFAULT({}); /* for the model; newlines may stand; 1 to 4096 bytes */
  /* a JSON Schema of an object, verbatim, at most 65536 bytes */
  const char* input_schema CBX_DEFAULT({});
  const char* output_schema CBX_DEFAULT({}); /* the same, or NULL */
  /* the protocol's hints as a JSON object (readOnlyHint and others), or NULL; at most 4096 bytes */
  const char* annotations CBX_DEFAULT({});
  /* 0: done, 1: the content says what went wrong */
  uint32_t (*call)(const cbx_tool_call* call) CBX_DEFAULT({});
} cbx_tool;

typedef struct cbx_tools {
  uint32_t size CBX_DEFAULT(sizeof(cbx_tools));
  uint32_t reserved CBX_DEFAULT(0);
  const cbx_tool* const* tools CBX_DEFAULT({}); /* NULL-terminated; at most 32 */
} cbx_tools;

/* ---- Layout of version 1.0 on 64-bit machines: no holes, the same in C and in C++. ---- */
#define CBX_COMMAND_SIZE_1_0 24u
#define CBX_SUPPORT_FILE_SIZE_1_0 32u
#define CBX_PACKAGES_SIZE_1_0 80u
#define CBX_HINT_SIZE_1_0 24u
#define CBX_SAMPLE_SIZE_1_0 32u
#define CBX_PLUGIN_SIZE_1_0 168u
#define CBX_HOST_SIZE_1_0 40u

#ifdef __cplusplus
#define CBX_ASSERT(condition) static_assert(condition, #condition)
#else
#define CBX_ASSERT(condition) _Static_assert(condition, #condition)
#endif
CBX_ASSERT(sizeof(void*) == 8);
CBX_ASSERT(sizeof(cbx_command) == CBX_COMMAND_SIZE_1_0);
CBX_ASSERT(sizeof(cbx_support_file) == CBX_SUPPORT_FILE_SIZE_1_0);
CBX_ASSERT(sizeof(cbx_packages) == CBX_PACKAGES_SIZE_1_0);
CBX_ASSERT(sizeof(cbx_hint) == CBX_HINT_SIZE_1_0);
CBX_ASSERT(sizeof(cbx_sample) == CBX_SAMPLE_SIZE_1_0);
CBX_ASSERT(sizeof(cbx_plugin) == CBX_PLUGIN_SIZE_1_0);
CBX_ASSERT(sizeof(cbx_host) == CBX_HOST_SIZE_1_0);
CBX_ASSERT(offsetof(cbx_command, argv) == 16);
CBX_ASSERT(offsetof(cbx_support_file, length) == 24);
CBX_ASSERT(offsetof(cbx_packages, noun) == 16);
CBX_ASSERT(offsetof(cbx_packages, index_variables) == 72);
CBX_ASSERT(offsetof(cbx_plugin, id) == 16);
CBX_ASSERT(offsetof(cbx_plugin, extension) == 160);
CBX_ASSERT(offsetof(cbx_host, extension) == 32);

#ifdef __cplusplus
}
#endif
#endif
