#pragma once
#include <codebox/plugin.hpp>

#include "c_build_sh.h"
#include "c_packages_sh.h"
#include "debian_packages_sh.h"

/// What C and C++ have in common. Not inline: a sanitizer cannot say of a weak constant that its
/// address is not null, and the descriptor is checked while it compiles.
namespace c_family {

constexpr cbx_support_file build_file = {
    .name = "c_build.sh", .bytes = c_build_sh, .length = sizeof(c_build_sh) - 1};
constexpr cbx_support_file packages_file = {
    .name = "c_packages.sh", .bytes = c_packages_sh, .length = sizeof(c_packages_sh) - 1};
constexpr cbx_support_file debian_file = {
    .name = "debian_packages.sh", .bytes = debian_packages_sh, .length = sizeof(debian_packages_sh) - 1};
constexpr const cbx_support_file* support[] = {&build_file, &packages_file, &debian_file, nullptr};

constexpr const char* run_argv[] = {"/tmp/program", nullptr};
constexpr cbx_command run = {.argv = run_argv};
constexpr const char* list_argv[] = {"dpkg-query", "-W", "-f", "${Package} ${Version}\n", nullptr};
constexpr cbx_command list = {.time_ms = 20'000, .argv = list_argv};
constexpr const char* install_argv[] = {
    "sh", "{support}/c_packages.sh", "{support}", "{prefix}", "{packages}", nullptr};
constexpr cbx_command install = {.argv = install_argv};

// Libraries that libraries need are found by this, those that the program names by its own search path.
constexpr const char* packages_env[] = {
    "LD_LIBRARY_PATH={prefix}/usr/lib/x86_64-linux-gnu:{prefix}/usr/lib/aarch64-linux-gnu:{prefix}/usr/lib",
    nullptr};
constexpr cbx_packages packages = {.longest = 128,
                                   .most = 32,
                                   .noun = "Debian package",
                                   .example = "libsqlite3-dev",
                                   .extra_characters = "+:=~",
                                   .install = &install,
                                   .env = packages_env};

constexpr cbx_hint no_header = {
    .pattern = "*fatal error: *: No such file or directory*",
    .text = "Name the Debian package that holds the header in `libraries`: most end in -dev."};
constexpr cbx_hint no_library = {
    .pattern = "*undefined reference to*",
    .text = "Name the Debian -dev package of the library in `libraries`; it is then linked by itself."};
constexpr const cbx_hint* hints[] = {&no_header, &no_library, nullptr};

}  // namespace c_family
