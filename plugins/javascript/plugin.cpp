#include "node.hpp"

namespace {

constexpr const char* run_argv[] = {"node", "--import", "{support}/node_preload.mjs", "{source}", nullptr};
constexpr cbx_command run = {.argv = run_argv};
// The last to be loaded before the program waits until there is one.
constexpr const char* warm[] = {
    "node",          "--import", "{support}/node_preload.mjs", "--import", "{support}/node_wait.mjs",
    "{dir}/main.js", nullptr};
constexpr const char* aliases[] = {"js", "node", "nodejs", nullptr};
constexpr const char* ignore[] = {"node_modules", "node_modules/*", "*/node_modules/*", nullptr};

constexpr cbx_sample sample = {
    .code =
        "import fs from 'node:fs';\nconsole.log([1, 2, 3].reduce((a, b) => a + b));\n"
        "process.stdout.write(fs.readFileSync(0, 'utf8').toUpperCase());\n",
    .input = "hello\n",
    .output = "6\nHELLO\n"};

constexpr cbx_plugin javascript = {
    .list_format = CBX_LIST_JSON,
    .id = "javascript",
    .version = "1.0.0",
    .display_name = "JavaScript",
    .description =
        "Runs a JavaScript program with Node.js in a fresh sandbox and returns what it prints. Both `import` "
        "and `require` work; a program with `import` may await outside of functions. There is no browser and "
        "no DOM.",
    .image = "codebox/sandbox-javascript:latest",
    .source_file = "main.js",
    .aliases = aliases,
    .env = node::env,
    .support = node::support,
    .run = &run,
    .list = &node::list,
    .packages = &node::packages,
    .warm = warm,
    .ignore = ignore,
    .hints = node::hints,
    .sample = &sample,
};

}  // namespace

CODEBOX_PLUGIN(javascript)
