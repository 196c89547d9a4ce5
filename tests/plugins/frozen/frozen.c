/* Every field of version 1.0. frozen.so.gz.base64 was built from this and from the header as it was then, by
 *   gcc -std=c11 -O2 -shared -fPIC -fvisibility=hidden -nostdlib -s -Wl,--build-id=none -Wl,-z,max-page-size=4096 -o frozen.so frozen.c
 * on amd64, and is never built again: a server of any 1.x must load it and see the same values. */
#include <codebox/plugin.h>

static const char* const aliases[] = {"frz", NULL};
static const char* const architectures[] = {"amd64", NULL};
static const char* const env[] = {"FROZEN=1", NULL};
static const char* const compile_argv[] = {"frozenc", "{source}", NULL};
static const char* const run_argv[] = {"frozen", "{support}/run", "{source}", NULL};
static const char* const list_argv[] = {"frozen", "list", NULL};
static const char* const install_argv[] = {"frozen", "install", "{prefix}", "{packages}", NULL};
static const char* const verify_argv[] = {"frozen", "verify", NULL};
static const char* const install_env[] = {"FROZEN_QUIET=1", NULL};
static const char* const packages_env[] = {"FROZEN_PATH={prefix}", NULL};
static const char* const index_variables[] = {"FROZEN_INDEX", NULL};
static const char* const warm[] = {"frozen", "wait", NULL};
static const char* const ignore[] = {"*.frz", NULL};
static const cbx_command compile = {sizeof compile, 1000, 64, 0, compile_argv};
static const cbx_command run = {sizeof run, 2000, 128, 0, run_argv};
static const cbx_command list = {sizeof list, 3000, 0, 0, list_argv};
static const cbx_command install = {sizeof install, 4000, 256, 0, install_argv};
static const cbx_command verify = {sizeof verify, 0, 0, 0, verify_argv};
static const cbx_packages packages = {sizeof packages, 100,         10,      0,           "ice block",
                                      "ice=1",         "=",         &install, &verify,    install_env,
                                      packages_env,    index_variables};
static const cbx_support_file file = {sizeof file, 0, "run", "a\0b", 3};
static const cbx_support_file* const support[] = {&file, NULL};
static const cbx_hint hint = {sizeof hint, 0, "*melted*", "Freeze it again."};
static const cbx_hint* const hints[] = {&hint, NULL};
static const cbx_sample sample = {sizeof sample, 0, "code\n", "input\n", "output\n"};
static const void* extension(const char* name) {
  (void)name;
  return NULL;
}
static const cbx_plugin frozen = {
    sizeof frozen, 1, 0, 0, 0, CBX_LIST_JSON, "frozen", "1.0", "Frozen", "Runs nothing.\nNever.",
    "codebox/none:1", "main.frz", aliases, architectures, env, support, &compile, &run, &list, &packages,
    warm, ignore, hints, &sample, extension};

CBX_EXPORT const cbx_plugin* codebox_plugin_v1(const cbx_host* host) {
  if (host->abi_major != 1 || host->size < CBX_HOST_SIZE_1_0 || host->extension(host->ctx, "none")) {
    host->fail(host->ctx, "the host is not as it was");
    return NULL;
  }
  return &frozen;
}
