#pragma once
#include <codebox/plugin.hpp>

#include "node_packages_mjs.h"
#include "node_preload_mjs.h"
#include "node_wait_mjs.h"

/// What the languages that run on Node have in common. Not inline: a sanitizer cannot say of a weak constant
/// that its address is not null, and the descriptor is checked while it compiles.
namespace node {

constexpr cbx_support_file preload_file = {
    .name = "node_preload.mjs", .bytes = node_preload_mjs, .length = sizeof(node_preload_mjs) - 1};
constexpr cbx_support_file packages_file = {
    .name = "node_packages.mjs", .bytes = node_packages_mjs, .length = sizeof(node_packages_mjs) - 1};
constexpr cbx_support_file wait_file = {
    .name = "node_wait.mjs", .bytes = node_wait_mjs, .length = sizeof(node_wait_mjs) - 1};
constexpr const cbx_support_file* support[] = {&preload_file, &packages_file, &wait_file, nullptr};

constexpr const char* list_argv[] = {"node", "{support}/node_packages.mjs", nullptr};
constexpr cbx_command list = {.time_ms = 20'000, .argv = list_argv};
constexpr const char* install_argv[] = {"npm",        "install",    "--prefix",   "{prefix}",
                                        "--no-audit", "--no-fund",  "--omit=dev", "--no-update-notifier",
                                        "--",         "{packages}", nullptr};
constexpr cbx_command install = {.argv = install_argv};

constexpr const char* install_env[] = {"npm_config_cache={prefix}/.tmp/npm", nullptr};
constexpr const char* packages_env[] = {"CODEBOX_NODE_MODULES={prefix}/node_modules", nullptr};
constexpr const char* index_variables[] = {"NPM_CONFIG_REGISTRY", "NPM_CONFIG_USERCONFIG", nullptr};
constexpr cbx_packages packages = {.longest = 214,
                                   .most = 64,
                                   .noun = "npm package",
                                   .example = "lodash@^4",
                                   .extra_characters = "@/^~*<>=+",
                                   .install = &install,
                                   .install_env = install_env,
                                   .env = packages_env,
                                   .index_variables = index_variables};

constexpr const char* env[] = {"NODE_NO_WARNINGS=1", "NO_UPDATE_NOTIFIER=1", nullptr};

constexpr cbx_hint no_package = {.pattern = "*Cannot find package '*",
                                 .text = "Name the npm package in `libraries`."};
constexpr cbx_hint no_module = {
    .pattern = "*Cannot find module '*",
    .text = "Name the npm package in `libraries`, or give the file that is meant in `input_files`."};
constexpr cbx_hint no_await = {
    .pattern = "SyntaxError: Unexpected reserved word",
    .text = "A program that awaits outside of functions needs `import` instead of `require`."};
constexpr const cbx_hint* hints[] = {&no_package, &no_module, &no_await, nullptr};

}  // namespace node
