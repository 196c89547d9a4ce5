/* codebox/plugin.h: the whole contract between Codebox and a language plugin. Plain C11, nothing else needed.
 *
 * A plugin is a shared object with one exported function, codebox_plugin_v1, that returns one static
 * descriptor. It is data: the host copies it with bounds, checks it, and may close the library at once.
 *
 * Ownership  Everything reachable from the descriptor belongs to the plugin, is static and never changes.
 *            Nothing is ever freed across the border. What the host passes in is valid during that one call.
 * Threads    The entry is called once in a process, on one thread, in a child without environment, secrets
 *            or privileges: one child reads the descriptor, and each call of a tool (codebox.tools/1) has
 *            its own. Constructors and entry have 10 s, 5 s of processor time and 512 MiB of addresses.
 * Errors     A field that breaks its rule refuses the whole plugin with a sentence (codebox/fault.hpp has
 *            them); nothing is cut or corrected. As JSON, support files as hexadecimal digits, a descriptor
 *            has at most 4 MiB.
 * Text       NUL-terminated UTF-8, without control characters unless a field says that newlines may stand
 *            (tabs and carriage returns then may, too). Bytes are counted without the NUL.
 * Lists      NULL-terminated arrays of pointers; a NULL list is an empty one.
 * Growth     Every struct begins with `size`, its own size in bytes, which may be larger than the host's.
 *            Later minor versions add fields at the end only, zero means "as before", numbers are never
 *            reused. A later major version is another symbol.
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

/* How the list command prints the image's packages: at most 512 KiB. */
enum {
  CBX_LIST_LINES = 1, /* one package a line: name, then white space, '@' or '=', then its version */
  CBX_LIST_JSON = 2   /* an array of {"name": ..., "version": ...} */
};
/* Levels of a tool's log lines, as the protocol's debug, info, warning and error. */
enum { CBX_LOG_DEBUG = 1, CBX_LOG_INFO = 2, CBX_LOG_WARN = 3, CBX_LOG_ERROR = 4 };

typedef const char* const* cbx_strings; /* NULL-terminated; NULL: empty */

/* One command, run without a shell: install and verify in {prefix}, the others in {dir}. Exit status 0 is
 * success. Placeholders are replaced wherever they stand in an argument, {packages} only as a whole one;
 * other braces stand for themselves.
 *   {source}   the program's absolute path                     run, compile; not in the first argument
 *   {dir}      the folder that holds the program               every command
 *   {support}  the folder that holds the support files         every command
 *   {prefix}   where packages are installed                    every command
 *   {packages} one argument for each package specifier         install (required), verify
 * In the values of environment variables {dir}, {support} and {prefix} are replaced likewise. */
typedef struct cbx_command {
  uint32_t size CBX_DEFAULT(sizeof(cbx_command));
  uint32_t time_ms CBX_DEFAULT(0);    /* milliseconds of wall time, 0 to 3600000; 0: no wish */
  uint32_t memory_mib CBX_DEFAULT(0); /* MiB, 0 to 1048576; 0: no wish. Hosts of 1.0 do not act on it */
  uint32_t reserved CBX_DEFAULT(0);
  /* 1 to 64 arguments of up to 4096 bytes, newlines may stand; the first is not empty, and without a '/' is
     looked for in PATH */
  cbx_strings argv CBX_DEFAULT({});
} cbx_command;

/* A file that lies, read-only, in {support} while the language's commands run. */
typedef struct cbx_support_file {
  uint32_t size CBX_DEFAULT(sizeof(cbx_support_file));
  uint32_t reserved CBX_DEFAULT(0);
  const char* name CBX_DEFAULT({});  /* required; [A-Za-z0-9_][A-Za-z0-9._-]{0,63} */
  const char* bytes CBX_DEFAULT({}); /* `length` bytes of any value; may be NULL where that is 0 */
  uint64_t length CBX_DEFAULT(0);    /* bytes; all support files of a plugin together at most 1048576 */
} cbx_support_file;

/* How packages of the language are named, installed and found. */
typedef struct cbx_packages {
  uint32_t size CBX_DEFAULT(sizeof(cbx_packages));
  uint32_t longest CBX_DEFAULT(128); /* bytes of one specifier, 1 to 512; C has no default and must say it */
  uint32_t most CBX_DEFAULT(64);     /* specifiers of one call, 1 to 256; likewise */
  uint32_t reserved CBX_DEFAULT(0);
  const char* noun CBX_DEFAULT({}); /* required; what one is called, "PyPI package"; 1 to 48 bytes */
  /* required; for example "humanize==4.*"; 1 to 128 bytes and at most `longest`, obeys extra_characters */
  const char* example CBX_DEFAULT({});
  /* What a specifier may hold besides [A-Za-z0-9._-], any of !*+,/:<=>@[]^~ or NULL for nothing. The host
   * refuses on top of it a leading '-' or '.', white space, "..", absolute paths and every kind of URL. */
  const char* extra_characters CBX_DEFAULT({});
  /* required; runs online, before any file of the user is there */
  const cbx_command* install CBX_DEFAULT({});
  /* optional, runs after install, online as well; a failure means that the install failed */
  const cbx_command* verify CBX_DEFAULT({});
  /* "NAME=value" for install and verify alone; form and bounds as cbx_plugin.env */
  cbx_strings install_env CBX_DEFAULT({});
  /* "NAME=value" that makes what was installed found, for every command; likewise */
  cbx_strings env CBX_DEFAULT({});
  /* names of variables that choose an index or hold its credentials; passed to installs only if the
     operator or the image set them; at most 32, each [A-Za-z_][A-Za-z0-9_]{0,127} */
  cbx_strings index_variables CBX_DEFAULT({});
} cbx_packages;

/* Where a line of what a failed program or its compiler said (either stream) matches `pattern`, the result
   has the hint `text`, once. Of several rules that match a line, the first one speaks. */
typedef struct cbx_hint {
  uint32_t size CBX_DEFAULT(sizeof(cbx_hint));
  uint32_t reserved CBX_DEFAULT(0);
  /* required; a glob over the whole line: '*' and '?' (one byte), the rest literal; 1 to 256 bytes */
  const char* pattern CBX_DEFAULT({});
  const char* text CBX_DEFAULT({}); /* required; one sentence to the model: what to do; 1 to 512 bytes */
} cbx_hint;

/* A program that shows that the language works, for checks and CI. Newlines may stand in every field. */
typedef struct cbx_sample {
  uint32_t size CBX_DEFAULT(sizeof(cbx_sample));
  uint32_t reserved CBX_DEFAULT(0);
  const char* code CBX_DEFAULT({});   /* required; 1 to 65536 bytes */
  const char* input CBX_DEFAULT({});  /* its standard input; NULL: none; at most 65536 bytes */
  const char* output CBX_DEFAULT({}); /* required; exactly what it prints to stdout; 1 to 65536 bytes */
} cbx_sample;

/* A language: the descriptor that the entry returns. */
typedef struct cbx_plugin {
  uint32_t size CBX_DEFAULT(sizeof(cbx_plugin));
  uint16_t abi_major CBX_DEFAULT(CBX_ABI_MAJOR); /* required; a host of another major refuses the plugin */
  uint16_t abi_minor CBX_DEFAULT(CBX_ABI_MINOR); /* of the header that the plugin was built with */
  uint16_t need_minor CBX_DEFAULT(0);            /* oldest minor of a host that can run it; default 0 */
  uint16_t flags CBX_DEFAULT(0);
  uint32_t list_format CBX_DEFAULT(0); /* CBX_LIST_*, required where `list` is given, else 0 */
  /* required; [a-z][a-z0-9_]{0,15}; the tools are run_<id>, and with `list` list_<id>_packages */
  const char* id CBX_DEFAULT({});
  const char* version CBX_DEFAULT({});      /* required; of the plugin; [A-Za-z0-9.+_~-]{1,32} */
  const char* display_name CBX_DEFAULT({}); /* required; for people, for example "Python"; 1 to 48 bytes */
  /* required; one paragraph for the model; newlines may stand; 1 to 4096 bytes */
  const char* description CBX_DEFAULT({});
  /* required; default image reference, 1 to 255 of [A-Za-z0-9./:@_-]; SANDBOX_IMAGE_<ID> overrides it */
  const char* image CBX_DEFAULT({});
  /* required; [A-Za-z0-9_][A-Za-z0-9._-]{0,63}: the program's file name in {dir} */
  const char* source_file CBX_DEFAULT({});
  /* other names of the language for settings and commands, of the form of an id; at most 16; a name that
     another plugin has already refuses this one */
  cbx_strings aliases CBX_DEFAULT({});
  /* "amd64", "arm64", ... that its images may be for: [A-Za-z0-9_]{1,16}; at most 16; NULL: any */
  cbx_strings architectures CBX_DEFAULT({});
  /* "NAME=value" for every command, over the image's and under the operator's: at most 64 of 4096 bytes,
     NAME as in index_variables */
  cbx_strings env CBX_DEFAULT({});
  const cbx_support_file* const* support CBX_DEFAULT({}); /* NULL-terminated; at most 32 */
  /* optional; its failure ends the call with the compiler's text */
  const cbx_command* compile CBX_DEFAULT({});
  const cbx_command* run CBX_DEFAULT({}); /* required */
  /* optional; prints the image's packages as list_format says */
  const cbx_command* list CBX_DEFAULT({});
  const cbx_packages* packages CBX_DEFAULT({}); /* optional; NULL: nothing can be installed */
  /* optional argv (bounds of cbx_command.argv, placeholders of `list`) of a process that waits in a sandbox
     to become the program: docs/plugins.md */
  cbx_strings warm CBX_DEFAULT({});
  /* globs over absolute paths of files that never come back, '*' also across '/'; at most 64 of 256 bytes */
  cbx_strings ignore CBX_DEFAULT({});
  const cbx_hint* const* hints CBX_DEFAULT({}); /* NULL-terminated; at most 32 */
  const cbx_sample* sample CBX_DEFAULT({});     /* required */
  /* Optional behaviour: the struct that `name` ("codebox.<name>/<revision>") stands for, or NULL. Static like
     the descriptor; called on the entry's thread, after it */
  const void* (*extension)(const char* name) CBX_DEFAULT({});
} cbx_plugin;

/* What the host offers. Valid during the entry only. */
typedef struct cbx_host {
  uint32_t size CBX_DEFAULT(sizeof(cbx_host));
  uint16_t abi_major CBX_DEFAULT(CBX_ABI_MAJOR); /* of this contract, as the host speaks it */
  uint16_t abi_minor CBX_DEFAULT(CBX_ABI_MINOR); /* likewise */
  void* ctx CBX_DEFAULT({});                     /* the host's; first argument of its functions */
  const char* version CBX_DEFAULT({});           /* both numbers as text, "1.0", for messages */
  /* one sentence, of which 300 bytes are kept; call it before returning NULL; the last one counts */
  void (*fail)(void* ctx, const char* reason) CBX_DEFAULT({});
  /* what `name` stands for; NULL for what it does not know, in 1.0 every name */
  const void* (*extension)(void* ctx, const char* name) CBX_DEFAULT({});
} cbx_host;

/* The one symbol that a plugin exports. Returns NULL to decline, after host->fail. Must not throw. */
typedef const cbx_plugin* (*cbx_entry)(const cbx_host* host);
CBX_EXPORT const cbx_plugin* codebox_plugin_v1(const cbx_host* host);

/* ---- Extension "codebox.tools/1": tools that need no sandbox, beside the language's own. ----
 *
 * The plugin's `extension` returns a static cbx_tools for this name. Each call runs in a plugin host child of
 * its own, without environment, secrets or privileges, that is gone afterwards: nothing is kept between
 * calls. It has the time of SANDBOX_EXEC_TIMEOUT, 512 MiB of addresses and 32 descriptors, writes no file,
 * and may answer 8 MiB in all. Whatever it gives is JSON of well-formed UTF-8, nested 32 levels deep at most,
 * and is checked before a client sees it; what breaks a rule ends the call with a sentence. */
#define CBX_EXTENSION_TOOLS "codebox.tools/1"

/* One call, valid until `call` returns. JSON is UTF-8 of the given length. Any thread may use the
   functions. */
typedef struct cbx_tool_call {
  uint32_t size CBX_DEFAULT(sizeof(cbx_tool_call));
  uint32_t reserved CBX_DEFAULT(0);
  void* ctx CBX_DEFAULT({}); /* the host's; first argument of the functions below */
  /* A JSON object, at most 1 MiB. The host looked at the top level of input_schema: `required`, the `type` of
     each property, and `additionalProperties` where it is false. The rest is the tool's own to check. */
  const char* arguments CBX_DEFAULT({});
  uint64_t arguments_length CBX_DEFAULT(0); /* bytes of `arguments`; a NUL follows them */
  /* One more content block of the protocol, `length` bytes of JSON, at most 64 of them: text, image (png,
     jpeg, gif or webp), audio, resource (with text or blob) or resource_link. */
  void (*content)(void* ctx, const char* json, uint64_t length) CBX_DEFAULT({});
  /* The structured content, a JSON object of `length` bytes; required where output_schema is given, unless
     the call failed. The last one counts. */
  void (*structured)(void* ctx, const char* json, uint64_t length) CBX_DEFAULT({});
  /* In any unit of the tool's. What does not rise above the `value` before, or is not finite, is left out; a
     `total` of 0 is an unknown one; `message` may be NULL, and is cut to 1024 bytes. Nothing happens where
     the client did not ask for progress. Progress and log lines together: 1000 of a call, more are left
     out. */
  void (*progress)(void* ctx, double value, double total, const char* message) CBX_DEFAULT({});
  /* `level` is CBX_LOG_*; `logger` may be NULL; `json` is any JSON value, and what is none a text; a line of
     more than 16 KiB is left out. */
  void (*log)(void* ctx, uint32_t level, const char* logger, const char* json) CBX_DEFAULT({});
  /* not 0 once nobody waits for the result; the child is killed a second later */
  uint32_t (*cancelled)(void* ctx) CBX_DEFAULT({});
  /* Answers an error of the protocol instead of a result: `code` fits 32 bits and is not 0, `message` is
     required and cut to 1024 bytes, `data_json` may be NULL and is left out beyond 16 KiB. The first one
     counts. */
  void (*error)(void* ctx, int64_t code, const char* message, const char* data_json) CBX_DEFAULT({});
} cbx_tool_call;

/* One tool. Static like the descriptor. */
typedef struct cbx_tool {
  uint32_t size CBX_DEFAULT(sizeof(cbx_tool));
  uint32_t reserved CBX_DEFAULT(0);
  /* required; [a-z][a-z0-9_]{0,47}, verbatim; not run_..., list_..., which are the host's; a name that
     another plugin has already refuses this one */
  const char* name CBX_DEFAULT({});
  const char* title CBX_DEFAULT({});       /* for people; NULL: none; at most 64 bytes */
  const char* description CBX_DEFAULT({}); /* required; for the model; newlines may stand; 1 to 4096 bytes */
  /* required; a JSON Schema whose type is "object", verbatim; newlines may stand; 2 to 65536 bytes */
  const char* input_schema CBX_DEFAULT({});
  /* a JSON object, verbatim; newlines may stand; at most 65536 bytes; NULL: none */
  const char* output_schema CBX_DEFAULT({});
  /* the protocol's hints as a JSON object (readOnlyHint and others); newlines may stand; at most 4096 bytes;
     NULL: none */
  const char* annotations CBX_DEFAULT({});
  /* required; called on the entry's thread. 0: done, 1: the content says what went wrong. Must not throw */
  uint32_t (*call)(const cbx_tool_call* call) CBX_DEFAULT({});
} cbx_tool;

/* What `extension` returns for CBX_EXTENSION_TOOLS. Static like the descriptor. */
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
