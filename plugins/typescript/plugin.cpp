#include "node.hpp"
#include "typescript_mjs.h"

namespace {

constexpr cbx_support_file program_file = {
    .name = "typescript.mjs", .bytes = typescript_mjs, .length = sizeof(typescript_mjs) - 1};
constexpr const cbx_support_file* support[] = {&node::preload_file, &node::packages_file, &node::wait_file,
                                               &program_file, nullptr};

// No command of its own compiles: the process that runs the program does, since that one may have waited. The
// name is one that no program writes.
constexpr const char* run_argv[] = {"node",
                                    "--enable-source-maps",
                                    "--import",
                                    "{support}/node_preload.mjs",
                                    "--import",
                                    "{support}/typescript.mjs",
                                    "{dir}/.codebox-main.mjs",
                                    nullptr};
constexpr cbx_command run = {.argv = run_argv};
constexpr const char* warm[] = {"node",
                                "--enable-source-maps",
                                "--import",
                                "{support}/node_preload.mjs",
                                "--import",
                                "{support}/node_wait.mjs",
                                "--import",
                                "{support}/typescript.mjs",
                                "{dir}/.codebox-main.mjs",
                                nullptr};
constexpr const char* aliases[] = {"ts", nullptr};
constexpr const char* ignore[] = {".codebox-main.mjs", "node_modules", "node_modules/*", "*/node_modules/*",
                                  nullptr};

constexpr cbx_sample sample = {.code =
                                   "import fs from 'node:fs';\nenum Step { One = 1, Two }\nconst sum = (a: "
                                   "number, b: number): number => a + b;\n"
                                   "console.log(sum(Step.Two, 4));\n"
                                   "process.stdout.write(fs.readFileSync(0, 'utf8').toUpperCase());\n",
                               .input = "hello\n",
                               .output = "6\nHELLO\n"};

constexpr cbx_plugin typescript = {
    .list_format = CBX_LIST_JSON,
    .id = "typescript",
    .version = "1.0.0",
    .display_name = "TypeScript",
    .description =
        "Runs a TypeScript program with Node.js in a fresh sandbox and returns what it prints. Both `import` "
        "and `require` work, and so does `await` outside of functions. Types are dropped, not checked. There "
        "is no browser and no DOM.",
    .image = "codebox/sandbox-typescript:latest",
    .source_file = "main.ts",
    .aliases = aliases,
    .env = node::env,
    .support = support,
    .run = &run,
    .list = &node::list,
    .packages = &node::packages,
    .warm = warm,
    .ignore = ignore,
    .hints = node::hints,
    .sample = &sample,
};

}  // namespace

CODEBOX_PLUGIN(typescript)
