#include <codebox/plugin.hpp>

#include "rust_build_sh.h"
#include "rust_install_sh.h"

namespace {

constexpr cbx_support_file build_file = {
    .name = "rust_build.sh", .bytes = rust_build_sh, .length = sizeof(rust_build_sh) - 1};
constexpr cbx_support_file install_file = {
    .name = "rust_install.sh", .bytes = rust_install_sh, .length = sizeof(rust_install_sh) - 1};
constexpr const cbx_support_file* support[] = {&build_file, &install_file, nullptr};

constexpr const char* compile_argv[] = {
    "sh", "{support}/rust_build.sh", "{source}", "{prefix}", "/tmp/program", nullptr};
constexpr cbx_command compile = {.argv = compile_argv};
constexpr const char* run_argv[] = {"/tmp/program", nullptr};
constexpr cbx_command run = {.argv = run_argv};
constexpr const char* list_argv[] = {"sh", "-c", "rustc -V; cargo -V", nullptr};
constexpr cbx_command list = {.time_ms = 20'000, .argv = list_argv};
constexpr const char* install_argv[] = {"sh", "{support}/rust_install.sh", "{prefix}", "{packages}", nullptr};
constexpr cbx_command install = {.argv = install_argv};

// A crate that needs a newer compiler than the image's gives way to its newest version that does not. Crates
// are optimised less than by default, because a call waits for them.
constexpr const char* install_env[] = {"CARGO_HOME={prefix}/.tmp/cargo",
                                       "CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS=fallback",
                                       "CARGO_PROFILE_RELEASE_OPT_LEVEL=1",
                                       "CARGO_PROFILE_RELEASE_BUILD_OVERRIDE_OPT_LEVEL=0",
                                       "CARGO_TERM_COLOR=never",
                                       "CARGO_BUILD_JOBS=2",
                                       nullptr};
constexpr const char* index_variables[] = {"CARGO_SOURCE_CRATES_IO_REPLACE_WITH",
                                           "CARGO_REGISTRIES_CRATES_IO_TOKEN", nullptr};
constexpr cbx_packages packages = {.longest = 200,
                                   .most = 32,
                                   .noun = "crate",
                                   .example = "serde[derive]@1",
                                   .extra_characters = "@[],+^~=*",
                                   .install = &install,
                                   .install_env = install_env,
                                   .index_variables = index_variables};

// Nothing may fetch another Rust.
constexpr const char* env[] = {"RUST_BACKTRACE=0", "RUSTUP_AUTO_INSTALL=0", nullptr};
constexpr const char* aliases[] = {"rs", nullptr};

constexpr cbx_hint no_crate = {.pattern = "*unresolved import*",
                               .text = "Name the crate in `libraries`, with its features: serde[derive]@1."};
constexpr cbx_hint no_such_crate = {
    .pattern = "*use of *undeclared crate*",
    .text = "Name the crate in `libraries`, with its features: serde[derive]@1."};
constexpr cbx_hint no_macro = {.pattern = "*cannot find derive macro*",
                               .text = "Name the crate with the feature `derive`: serde[derive]@1."};
constexpr cbx_hint no_main = {.pattern = "*`main` function not found in crate*",
                              .text = "Statements stand within `fn main() { ... }`."};
constexpr const cbx_hint* hints[] = {&no_crate, &no_such_crate, &no_macro, &no_main, nullptr};

constexpr cbx_sample sample = {
    .code =
        "use std::io::Read;\n\nfn main() {\n    println!(\"{}\", (0..10).sum::<i32>());\n"
        "    let mut input = String::new();\n    std::io::stdin().read_to_string(&mut input).unwrap();\n"
        "    print!(\"{}\", input.to_uppercase());\n}\n",
    .input = "hello\n",
    .output = "45\nHELLO\n"};

constexpr cbx_plugin rust = {
    .list_format = CBX_LIST_LINES,
    .id = "rust",
    .version = "1.0.0",
    .display_name = "Rust",
    .description =
        "Compiles and runs a Rust program (edition 2021) in a fresh sandbox and returns what it prints. The "
        "code is a whole file with `fn main()`, without a Cargo.toml. Crates are named in `libraries`, with "
        "the "
        "features that the program needs: serde[derive]@1.",
    .image = "codebox/sandbox-rust:latest",
    .source_file = "main.rs",
    .aliases = aliases,
    .env = env,
    .support = support,
    .compile = &compile,
    .run = &run,
    .list = &list,
    .packages = &packages,
    .hints = hints,
    .sample = &sample,
};

}  // namespace

CODEBOX_PLUGIN(rust)
